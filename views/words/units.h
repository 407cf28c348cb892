// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace hloscope {

// Numbers as the workbench writes them.

// Unit with one to three digits before the point, four digits in all: "97.66 ms", "152.8 µs", "0 ps".
QString formatTime(qint64 picoseconds);
// Three digits, KiB/MiB/GiB: "2.13 GiB", "512.5 MiB", "64 MiB" when exact.
QString formatBytes(qint64 bytes);
// A memory of a chip in its maker's unit, counted in 2^30: "8 GB".
QString formatCapacity(double bytes);
// Every digit, grouped by thin spaces: "2 282 225 664 B".
QString formatExactBytes(qint64 bytes);
// Four digits with an SI prefix: "22.45 TFLOP/s", "104.4 GB/s", "3280 FLOP/B" for unit "FLOP/B".
QString formatRate(double value, const QString& unit);
// One decimal, thin space before the sign: "98.0 %".
QString formatPercent(double fraction);
// Thousands grouped from five digits on: "2748", "27 631".
QString formatCount(qint64 count);
// Elided in the middle, keeps the number at the end: "convol…fusion.42" for at most `characters`.
QString elideName(const QString& name, int characters);

} // namespace hloscope
