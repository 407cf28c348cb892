// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/workbench/samples.h"

#include <QAbstractButton>

namespace hloscope {

// A sample on the start page: a strip of its timeline, the mix of categories, and three lines of text.
class SampleCard : public QAbstractButton {
    Q_OBJECT

public:
    explicit SampleCard(Sample sample, QWidget* parent = nullptr);

    const Sample& sample() const { return m_sample; }
    bool hasSummary() const { return m_summary.has_value(); }
    void setSummary(SampleSummary summary);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintStrip(QPainter& painter, const QRectF& area) const;
    void paintMix(QPainter& painter, const QRectF& area) const;

    Sample m_sample;
    std::optional<SampleSummary> m_summary;
};

// A row of the list of recent files: icon, name, folder, day.
class RecentRow : public QAbstractButton {
    Q_OBJECT

public:
    RecentRow(QString path, QString when, QWidget* parent = nullptr);

    const QString& path() const { return m_path; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_path;
    QString m_name;
    QString m_folder;
    QString m_when;
    bool m_isFolder;
};

} // namespace hloscope
