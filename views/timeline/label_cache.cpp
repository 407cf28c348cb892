// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/label_cache.h"

#include "views/words/words_tr.h"

#include <utility>

namespace hloscope {

namespace {

constexpr QChar kEllipsis(0x2026);
constexpr qsizetype kMaxNumber = 8; // more digits at the end are an address, of which the last ones tell it apart
constexpr qsizetype kAddressTail = 4;
constexpr qsizetype kLeastHead = 3; // characters worth showing before a number
constexpr qsizetype kLeastStart = 2; // and without one
constexpr size_t kMaxName = 300; // bytes that are looked at

qsizetype numberAt(const QString& text)
{
    qsizetype at = text.size();
    while (at > 0 && text[at - 1].isDigit())
        --at;
    return text.size() - at > kMaxNumber ? text.size() - kAddressTail : at;
}

} // namespace

QString shortLabel(const EventKind& kind)
{
    std::string_view name = kind.label();
    if (name.starts_with('%'))
        name = name.substr(1, name.find(" = ") == std::string_view::npos ? name.size() : name.find(" = ") - 1);
    return toQString(name.substr(0, kMaxName)).simplified();
}

LabelCache::LabelCache(const QFont& font) : m_font(font), m_metrics(font), m_rawFont(QRawFont::fromFont(font)) { }

double LabelCache::baselineIn(double height) const
{
    return std::round((height + m_metrics.ascent() - m_metrics.descent()) / 2);
}

const LabelCache::Glyph& LabelCache::glyph(QChar c) const
{
    const auto measure = [&] {
        const QList<quint32> indexes = m_rawFont.glyphIndexesForString(QString(c));
        return Glyph{m_metrics.horizontalAdvance(c), indexes.size() == 1 ? indexes[0] : 0};
    };
    if (c.unicode() < m_latin.size()) {
        if (!std::exchange(m_isKnown[c.unicode()], true))
            m_latin[c.unicode()] = measure();
        return m_latin[c.unicode()];
    }
    const auto known = m_others.find(c.unicode());
    return known != m_others.end() ? known->second : m_others.emplace(c.unicode(), measure()).first->second;
}

bool LabelCache::addGlyphs(const QString& text, const QPointF& baseline, QList<quint32>& indexes,
                           QList<QPointF>& positions) const
{
    const qsizetype before = indexes.size();
    QPointF at = baseline;
    for (const QChar c : text) {
        const Glyph& shape = glyph(c);
        if (shape.index == 0) {
            indexes.resize(before);
            positions.resize(before);
            return false;
        }
        indexes.append(shape.index);
        positions.append(at);
        at.rx() += shape.advance;
    }
    return true;
}

double LabelCache::width(QStringView text) const
{
    double sum = 0;
    for (const QChar c : text)
        sum += advance(c);
    return sum;
}

const LabelCache::Label& LabelCache::of(const Trace& trace, uint32_t kind)
{
    const auto known = m_labels.constFind(kind);
    if (known != m_labels.constEnd())
        return *known;
    Label label{shortLabel(trace.kinds[kind]), 0};
    label.width = width(label.text);
    return *m_labels.insert(kind, std::move(label));
}

QString LabelCache::elided(const Label& label, double available) const
{
    if (label.width <= available)
        return label.text;
    const qsizetype number = numberAt(label.text);
    const QStringView tail = QStringView(label.text).mid(number);
    double room = available - advance(kEllipsis) - width(tail);
    if (room < 0)
        return {};
    qsizetype head = 0;
    while (head < number && advance(label.text[head]) <= room)
        room -= advance(label.text[head++]);
    if (tail.isEmpty())
        return head >= kLeastStart ? label.text.left(head) + kEllipsis : QString();
    return (head >= kLeastHead ? label.text.left(head) : QString()) + kEllipsis + tail.toString();
}

} // namespace hloscope
