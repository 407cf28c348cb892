// SPDX-License-Identifier: Apache-2.0
#include "views/words/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hloscope {

namespace {

constexpr QChar kThinSpace(0x2009);
constexpr QChar kMinus(0x2212);
constexpr QChar kEllipsis(0x2026);

struct Unit {
    double size;
    const char* name;
};

// Magnitude without the overflow of -INT64_MIN.
quint64 magnitude(qint64 value)
{
    return value < 0 ? quint64(0) - static_cast<quint64>(value) : static_cast<quint64>(value);
}

QString signOf(double value)
{
    return value < 0 ? QString(kMinus) : QString();
}

// Digits in groups of three from five digits on.
QString grouped(quint64 value)
{
    QString digits = QString::number(value);
    if (digits.size() < 5)
        return digits;
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, kThinSpace);
    return digits;
}

// Four digits in all. Values from 10 000 on are written as whole numbers.
QString fourDigits(double value)
{
    if (value >= 9999.5)
        return grouped(static_cast<quint64>(std::min(std::round(value), 1.8e19)));
    const int decimals = value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0;
    return QString::number(value, 'f', decimals);
}

// The largest unit in which the value is at least one once it is rounded to four digits.
const Unit& unitFor(double value, const Unit* begin, const Unit* end)
{
    const Unit* best = begin;
    for (const Unit* unit = begin; unit != end; ++unit) {
        if (value >= unit->size * 0.99995)
            best = unit;
    }
    return *best;
}

} // namespace

QString formatTime(qint64 picoseconds)
{
    static constexpr std::array<Unit, 5> units{{{1, "ps"}, {1e3, "ns"}, {1e6, "\u00b5s"}, {1e9, "ms"}, {1e12, "s"}}};
    const quint64 value = magnitude(picoseconds);
    const QString sign = signOf(static_cast<double>(picoseconds));
    if (value < 1000)
        return sign + QStringLiteral("%1 ps").arg(value);
    const Unit& unit = unitFor(static_cast<double>(value), units.data() + 1, units.data() + units.size());
    return sign + fourDigits(static_cast<double>(value) / unit.size) + QLatin1Char(' ') + QString::fromUtf8(unit.name);
}

QString formatBytes(qint64 bytes)
{
    static constexpr std::array<const char*, 5> names{"KiB", "MiB", "GiB", "TiB", "PiB"};
    const quint64 value = magnitude(bytes);
    const QString sign = signOf(static_cast<double>(bytes));
    if (value < 1024)
        return sign + QStringLiteral("%1 B").arg(value);
    size_t level = 0;
    quint64 size = 1024;
    // 1023.95 KiB would be written as 1024.0 KiB: it goes to the next unit.
    while (level + 1 < names.size() && static_cast<double>(value) / static_cast<double>(size) >= 1023.95) {
        size *= 1024;
        ++level;
    }
    const double scaled = static_cast<double>(value) / static_cast<double>(size);
    QString digits;
    if (value % size == 0)
        digits = grouped(value / size);
    else
        digits = QString::number(scaled, 'f', scaled < 9.995 ? 2 : 1);
    return sign + digits + QLatin1Char(' ') + QLatin1String(names[level]);
}

QString formatCapacity(double bytes)
{
    constexpr double kGiB = 1 << 30;
    return QStringLiteral("%1 GB").arg(std::round(bytes / kGiB * 10) / 10);
}

QString formatExactBytes(qint64 bytes)
{
    return formatCount(bytes) + QStringLiteral(" B");
}

QString formatRate(double value, const QString& unit)
{
    static constexpr std::array<Unit, 6> prefixes{
        {{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}}};
    if (!std::isfinite(value))
        return QStringLiteral("\u2013");
    const double size = std::abs(value);
    if (size == 0)
        return QStringLiteral("0 ") + unit;
    if (size < 9999.5)
        return signOf(value) + fourDigits(size) + QLatin1Char(' ') + unit;
    const Unit& prefix = unitFor(size, prefixes.data(), prefixes.data() + prefixes.size());
    return signOf(value) + fourDigits(size / prefix.size) + QLatin1Char(' ') + QLatin1String(prefix.name) + unit;
}

QString formatPercent(double fraction)
{
    if (!std::isfinite(fraction))
        return QStringLiteral("\u2013");
    const QString digits = QString::number(std::abs(fraction) * 100, 'f', 1);
    const bool isZero = digits == QLatin1String("0.0");
    return (isZero ? QString() : signOf(fraction)) + digits + kThinSpace + QLatin1Char('%');
}

QString formatCount(qint64 count)
{
    return signOf(static_cast<double>(count)) + grouped(magnitude(count));
}

QString elideName(const QString& name, int characters)
{
    if (name.size() <= characters)
        return name;
    if (characters <= 1)
        return QString(kEllipsis);
    qsizetype number = name.size();
    while (number > 0 && name[number - 1].isDigit())
        --number;
    const qsizetype digits = name.size() - number;
    const qsizetype room = characters - 1;
    // The number tells names apart, so it goes last; what is left is shared between the front and the word before it.
    if (digits >= room)
        return kEllipsis + name.right(room);
    const qsizetype tail = std::max(digits, digits + (room - digits) / 2);
    return name.left(room - tail) + kEllipsis + name.right(tail);
}

} // namespace hloscope
