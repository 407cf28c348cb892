// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFile>
#include <QRegularExpression>
#include <QString>
#include <QStringList>

// What XLA writes into live-range.txt.
struct LiveRangeText {
    qint64 max = -1; // end of the program
    QStringList sequence;
    QStringList ranges; // "fusion.3{1}:5-9", in the order of the file
    qint64 peak = -1;
    QStringList live; // "fusion.3{1}: 512", in the order of the file
    qint64 liveBytes = 0;

    static LiveRangeText read(const QString& path)
    {
        LiveRangeText report;
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return report;
        static const QRegularExpression header("^HloLiveRange \\(max (\\d+)\\):$");
        static const QRegularExpression position("^    (\\d+):(\\S+)$");
        static const QRegularExpression range("^    (\\S+):(\\d+)-(\\d+)$");
        static const QRegularExpression peakLine("^  Live ranges at (\\d+) \\(peak\\):$");
        static const QRegularExpression live("^    (\\S+): (\\d+) bytes \\(cumulative: (\\d+) bytes\\)$");
        enum { Head, Sequence, Ranges, Live, Rest } part = Head;
        for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
            QRegularExpressionMatch match;
            if (part == Head && (match = header.match(line)).hasMatch()) {
                report.max = match.captured(1).toLongLong();
            } else if (line == "  InstructionSequence:") {
                part = Sequence;
            } else if (line == "  BufferLiveRange:") {
                part = Ranges;
            } else if ((match = peakLine.match(line)).hasMatch()) {
                report.peak = match.captured(1).toLongLong();
                part = Live;
            } else if (part == Sequence && (match = position.match(line)).hasMatch()) {
                report.sequence << match.captured(2);
            } else if (part == Ranges && range.match(line).hasMatch()) {
                report.ranges << line.trimmed();
            } else if (part == Live) {
                match = live.match(line);
                if (!match.hasMatch()) {
                    part = Rest;
                    continue;
                }
                report.live << match.captured(1) + ": " + match.captured(2);
                report.liveBytes = match.captured(3).toLongLong();
            }
        }
        return report;
    }
};
