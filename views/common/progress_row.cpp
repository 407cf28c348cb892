// SPDX-License-Identifier: Apache-2.0
#include "views/common/progress_row.h"

#include "views/common/theme.h"
#include "views/words/units.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace hloscope {

namespace {

constexpr int kLineHeight = 2;
constexpr int kPollMs = 50;

QString phaseText(Progress::Phase phase, const QString& name)
{
    switch (phase) {
    case Progress::Phase::Reading:
        return ProgressRow::tr("Reading %1").arg(name);
    case Progress::Phase::Parsing:
        return ProgressRow::tr("Parsing %1").arg(name);
    case Progress::Phase::Indexing:
        return ProgressRow::tr("Indexing %1").arg(name);
    case Progress::Phase::Analysing:
        return ProgressRow::tr("Analysing %1").arg(name);
    case Progress::Phase::LayingOut:
        return ProgressRow::tr("Laying out %1").arg(name);
    case Progress::Phase::Writing:
        return ProgressRow::tr("Writing %1").arg(name);
    }
    return name;
}

} // namespace

ProgressRow::ProgressRow(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_words(new QWidget(this)), m_text(new QLabel(m_words))
{
    auto* cancel = new QPushButton(tr("Cancel"), m_words);
    cancel->setObjectName(QStringLiteral("cancelOpening"));
    cancel->setProperty("role", "link");
    connect(cancel, &QPushButton::clicked, &m_workspace, &Workspace::cancelOpening);
    auto* row = new QHBoxLayout(m_words);
    row->setContentsMargins(12, 2, 12, 2);
    row->addWidget(m_text);
    row->addWidget(cancel);
    row->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kLineHeight, 0, 0);
    layout->addWidget(m_words);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
    m_words->hide();

    connect(&m_timer, &QTimer::timeout, this, &ProgressRow::poll);
    connect(&m_workspace, &Workspace::busyChanged, this, &ProgressRow::follow);
    follow(m_workspace.isBusy());
}

void ProgressRow::follow(bool busy)
{
    if (busy) {
        m_since.start();
        m_timer.start(kPollMs);
    } else {
        m_timer.stop();
        m_words->hide();
        hide();
    }
}

void ProgressRow::poll()
{
    const Progress* progress = m_workspace.progress();
    if (progress == nullptr || m_since.elapsed() < kLineAfterMs)
        return;
    m_fraction = std::clamp(progress->fraction(), 0.0, 1.0);
    if (m_since.elapsed() >= kWordsAfterMs) {
        const QString name = QFileInfo(m_workspace.busyWith()).fileName();
        m_text->setText(tr("%1, %2").arg(phaseText(progress->phase(), name), formatPercent(m_fraction)));
        m_words->show();
    }
    show();
    update();
}

void ProgressRow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(0, 0, width(), kLineHeight, theme().border);
    painter.fillRect(0, 0, static_cast<int>(width() * m_fraction), kLineHeight, theme().accent);
}

} // namespace hloscope
