// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>

#include <algorithm>
#include <array>
#include <cmath>

// Colour measures for the checks of the theme.
namespace colourmath {

using Vector = std::array<double, 3>;

inline double linearised(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

inline Vector linearRgb(const QColor& colour)
{
    return {linearised(colour.redF()), linearised(colour.greenF()), linearised(colour.blueF())};
}

// WCAG 2.1: relative luminance and contrast ratio.
inline double luminance(const QColor& colour)
{
    const Vector rgb = linearRgb(colour);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

inline double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

// A colour with alpha as it looks on an opaque ground.
inline QColor over(const QColor& top, const QColor& ground)
{
    const auto mix = [&](float t, float g) { return t * top.alphaF() + g * (1 - top.alphaF()); };
    return QColor::fromRgbF(mix(top.redF(), ground.redF()), mix(top.greenF(), ground.greenF()),
                            mix(top.blueF(), ground.blueF()));
}

enum class Vision { Normal, Deuteranopia, Protanopia };

// Machado, Oliveira and Fernandes 2009 at severity 1.0, on linear RGB.
inline Vector seenBy(Vision vision, const QColor& colour)
{
    static constexpr std::array<std::array<double, 9>, 3> kMatrices{{
        {1, 0, 0, 0, 1, 0, 0, 0, 1},
        {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
        {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
    }};
    const auto& m = kMatrices[static_cast<size_t>(vision)];
    const Vector rgb = linearRgb(colour);
    Vector out;
    for (size_t row = 0; row < 3; ++row)
        out[row] = std::clamp(m[row * 3] * rgb[0] + m[row * 3 + 1] * rgb[1] + m[row * 3 + 2] * rgb[2], 0.0, 1.0);
    return out;
}

// CIE L*a*b* under D65.
inline Vector toLab(const Vector& rgb)
{
    const double x = 0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2];
    const double y = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
    const double z = 0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2];
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double fx = f(x / 0.95047);
    const double fy = f(y);
    const double fz = f(z / 1.08883);
    return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

// CIEDE2000 colour difference, with the names of Sharma, Wu and Dalal 2005.
inline double ciede2000(const Vector& lab1, const Vector& lab2)
{
    constexpr double kPi = 3.14159265358979323846;
    const auto degrees = [](double radians) { return radians * 180 / kPi; };
    const auto radians = [](double angle) { return angle * kPi / 180; };
    const auto pow7 = [](double v) { return std::pow(v, 7); };

    const double cBar = (std::hypot(lab1[1], lab1[2]) + std::hypot(lab2[1], lab2[2])) / 2;
    const double g = 0.5 * (1 - std::sqrt(pow7(cBar) / (pow7(cBar) + pow7(25))));
    const double a1 = (1 + g) * lab1[1];
    const double a2 = (1 + g) * lab2[1];
    const double c1 = std::hypot(a1, lab1[2]);
    const double c2 = std::hypot(a2, lab2[2]);
    const auto hue = [&](double a, double b) {
        if (a == 0 && b == 0)
            return 0.0;
        const double h = degrees(std::atan2(b, a));
        return h < 0 ? h + 360 : h;
    };
    const double h1 = hue(a1, lab1[2]);
    const double h2 = hue(a2, lab2[2]);

    double dh = c1 * c2 == 0 ? 0 : h2 - h1;
    if (dh > 180)
        dh -= 360;
    else if (dh < -180)
        dh += 360;
    const double deltaH = 2 * std::sqrt(c1 * c2) * std::sin(radians(dh / 2));
    double hBar = h1 + h2;
    if (c1 * c2 != 0)
        hBar = std::abs(h1 - h2) <= 180 ? hBar / 2 : (hBar < 360 ? (hBar + 360) / 2 : (hBar - 360) / 2);

    const double lBar = (lab1[0] + lab2[0]) / 2;
    const double cBarPrime = (c1 + c2) / 2;
    const double t = 1 - 0.17 * std::cos(radians(hBar - 30)) + 0.24 * std::cos(radians(2 * hBar))
        + 0.32 * std::cos(radians(3 * hBar + 6)) - 0.20 * std::cos(radians(4 * hBar - 63));
    const double dTheta = 30 * std::exp(-std::pow((hBar - 275) / 25, 2));
    const double rc = 2 * std::sqrt(pow7(cBarPrime) / (pow7(cBarPrime) + pow7(25)));
    const double sl = 1 + 0.015 * std::pow(lBar - 50, 2) / std::sqrt(20 + std::pow(lBar - 50, 2));
    const double sc = 1 + 0.045 * cBarPrime;
    const double sh = 1 + 0.015 * cBarPrime * t;
    const double rt = -std::sin(radians(2 * dTheta)) * rc;
    const double l = (lab2[0] - lab1[0]) / sl;
    const double c = (c2 - c1) / sc;
    const double h = deltaH / sh;
    return std::sqrt(l * l + c * c + h * h + rt * c * h);
}

inline double distance(const QColor& a, const QColor& b, Vision vision)
{
    return ciede2000(toLab(seenBy(vision, a)), toLab(seenBy(vision, b)));
}

} // namespace colourmath
