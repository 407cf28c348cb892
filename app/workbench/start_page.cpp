// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/start_page.h"

#include "app/workbench/cards.h"
#include "views/common/icons.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace hloscope {

namespace {

constexpr int kMaxWidth = 1320;
constexpr int kMargin = 24;
constexpr int kGap = 16;
constexpr double kRecentWidth = 300;
constexpr double kCardWidth = 196;

QString dayOf(const QDateTime& when)
{
    const qint64 days = when.date().daysTo(QDate::currentDate());
    if (days == 0)
        return StartPage::tr("today");
    if (days == 1)
        return StartPage::tr("yesterday");
    return QLocale().toString(when.date(), QLocale::ShortFormat);
}

// The dashed frame that says "drop here"; the whole window takes drops.
class DropZone : public QFrame {
public:
    using QFrame::QFrame;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(theme().panel);
        painter.setPen(QPen(theme().borderStrong, 1, Qt::DashLine));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
        painter.drawPixmap(26, height() / 2 - 10,
                           iconPixmap(QStringLiteral("file"), 20, theme().text2, devicePixelRatioF()));
    }
};

struct HowTo {
    QString title;
    QString subtitle;
    QString code;
};

std::vector<HowTo> waysToGetAProfile()
{
    return {
        {StartPage::tr("On a TPU"), StartPage::tr("Writes plugins/profile/\u2026/xplane.pb into the folder."),
         QStringLiteral("with jax.profiler.trace(\"profile\"):\n    step(params, x).block_until_ready()")},
        {StartPage::tr("Without a TPU"), StartPage::tr("The compiled module alone: graph, memory, a simulated step."),
         QStringLiteral(
             "text = jax.jit(step).lower(params, x).compile()\nopen(\"step.hlo\",\"w\").write(text.as_text())")},
        {StartPage::tr("Every stage of the compiler"), StartPage::tr("All modules before and after optimisation."),
         QStringLiteral("XLA_FLAGS=\"--xla_dump_to=dump \\\n  --xla_dump_hlo_as_text\" python train.py")},
    };
}

} // namespace

StartPage::StartPage(Settings& settings, QWidget* parent)
    : QScrollArea(parent), m_settings(settings), m_page(new QWidget), m_worker(std::make_unique<Worker>())
{
    setObjectName(QStringLiteral("startPage"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* body = new QWidget(m_page);
    body->setMaximumWidth(kMaxWidth);
    auto* centred = new QHBoxLayout(m_page);
    centred->setContentsMargins(kMargin, 0, kMargin, 0);
    centred->addStretch(1);
    centred->addWidget(body, 1000);
    centred->addStretch(1);

    auto* columns = new QHBoxLayout;
    columns->setSpacing(kMargin);
    columns->addWidget(makeSamples(), 1, Qt::AlignTop);
    columns->addWidget(makeRecent(), 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 40, 0, kMargin);
    layout->setSpacing(0);
    layout->addWidget(makeText(QStringLiteral("Hloscope"), 28, ""));
    layout->addWidget(makeText(
        tr("Open a compiled HLO module or a TPU profile and see where the time and the memory go."), 14, "secondary"));
    layout->addSpacing(28);
    layout->addWidget(makeDropZone());
    layout->addSpacing(32);
    layout->addLayout(columns);
    layout->addSpacing(32);
    layout->addWidget(makeHowTo());
    layout->addStretch(1);
    setWidget(m_page);

    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &StartPage::applyTheme);
    applyTheme();
    refreshRecent();
}

StartPage::~StartPage()
{
    m_worker.reset(); // its task refers to the cards
}

bool StartPage::isReady() const
{
    return std::ranges::all_of(m_cards, &SampleCard::hasSummary);
}

void StartPage::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    refreshRecent();
    summarise();
}

void StartPage::hideEvent(QHideEvent* event)
{
    // What was opened needs the processor more than the cards do.
    for (const std::shared_ptr<Progress>& progress : m_reading)
        progress->cancel();
    m_reading.clear();
    QScrollArea::hideEvent(event);
}

void StartPage::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrangeCards();
}

void StartPage::summarise()
{
    if (!m_reading.empty())
        return;
    for (SampleCard* card : m_cards) {
        if (card->hasSummary())
            continue;
        m_reading.push_back(m_worker->post([this, card, path = card->sample().path](Progress& progress) {
            auto summary = summariseSample(path, progress);
            if (!summary)
                return;
            QMetaObject::invokeMethod(this, [card, summary = std::move(*summary)] { card->setSummary(summary); });
        }));
    }
}

void StartPage::refreshRecent()
{
    while (QLayoutItem* item = m_recentRows->takeAt(0)) {
        if (item->widget() != nullptr)
            item->widget()->deleteLater();
        delete item;
    }
    const std::vector<RecentFile> files = m_settings.recentFiles();
    m_recentColumn->setVisible(!files.empty());
    const size_t count = std::min<size_t>(files.size(), 8);
    for (size_t i = 0; i < count; ++i) {
        auto* row = new RecentRow(files[i].path, dayOf(files[i].opened), m_recentColumn);
        connect(row, &QAbstractButton::clicked, this, [this, path = files[i].path] { emit openRequested(path); });
        m_recentRows->addWidget(row);
    }
    arrangeCards();
}

QLabel* StartPage::makeText(const QString& text, double px, const char* role)
{
    auto* label = new QLabel(text);
    label->setProperty("role", role);
    label->setWordWrap(true);
    m_texts.emplace_back(label, px);
    return label;
}

QWidget* StartPage::makeDropZone()
{
    auto* zone = new DropZone;
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(makeText(tr("Drop a file or a folder here"), 13, ""));
    words->addWidget(
        makeText(tr("HLO text as JAX prints it, or an xplane.pb profile. Plain, .gz or .zst."), 12, "secondary"));
    auto* layout = new QHBoxLayout(zone);
    layout->setContentsMargins(60, 22, 24, 22);
    layout->setSpacing(12);
    layout->addLayout(words, 1);
    const auto addButton = [&](const QString& iconName, const QString& text, void (StartPage::*signal)()) {
        auto* button = new QPushButton(text, zone);
        button->setProperty("form", true);
        button->setObjectName(iconName + QStringLiteral("Button"));
        if (iconName == QLatin1String("openFile"))
            button->setProperty("role", "primary");
        connect(button, &QPushButton::clicked, this, signal);
        layout->addWidget(button);
    };
    addButton(QStringLiteral("openFile"), tr("Open file\u2026"), &StartPage::openFileRequested);
    addButton(QStringLiteral("openFolder"), tr("Open folder\u2026"), &StartPage::openFolderRequested);
    addButton(QStringLiteral("paste"), tr("Paste HLO text"), &StartPage::pasteRequested);
    return zone;
}

QWidget* StartPage::makeSamples()
{
    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(makeText(tr("Samples"), 14, ""));
    m_cardGrid = new QGridLayout;
    m_cardGrid->setSpacing(kGap);
    layout->addLayout(m_cardGrid);
    for (const Sample& sample : samples()) {
        auto* card = new SampleCard(sample, column);
        connect(card, &QAbstractButton::clicked, this, [this, path = sample.path] { emit openRequested(path); });
        m_cards.push_back(card);
    }
    return column;
}

QWidget* StartPage::makeRecent()
{
    m_recentColumn = new QWidget;
    auto* title = new QHBoxLayout;
    title->addWidget(makeText(tr("Recent"), 14, ""), 1);
    auto* clear = new QPushButton(tr("Clear"), m_recentColumn);
    clear->setProperty("role", "link");
    connect(clear, &QPushButton::clicked, this, [this] {
        m_settings.clearRecentFiles();
        refreshRecent();
    });
    title->addWidget(clear);
    auto* card = new QFrame(m_recentColumn);
    card->setProperty("role", "card");
    m_recentRows = new QVBoxLayout(card);
    m_recentRows->setContentsMargins(0, 6, 0, 6);
    m_recentRows->setSpacing(0);
    auto* layout = new QVBoxLayout(m_recentColumn);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(title);
    layout->addWidget(card);
    return m_recentColumn;
}

QWidget* StartPage::makeHowTo()
{
    auto* section = new QWidget;
    auto* layout = new QVBoxLayout(section);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(makeText(tr("How do I get a profile?"), 14, ""));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kMargin);
    layout->addLayout(columns);
    for (const HowTo& way : waysToGetAProfile()) {
        auto* column = new QVBoxLayout;
        column->setSpacing(4);
        column->addWidget(makeText(way.title, 13, ""));
        column->addWidget(makeText(way.subtitle, 12, "secondary"));
        auto* box = new QFrame(section);
        box->setProperty("role", "card");
        auto* row = new QHBoxLayout(box);
        row->setContentsMargins(12, 10, 8, 10);
        auto* code = makeText(way.code, -12, ""); // negative: the fixed font
        code->setWordWrap(false);
        code->setTextInteractionFlags(Qt::TextSelectableByMouse);
        code->setMinimumWidth(40);
        row->addWidget(code, 1);
        auto* copy = new QToolButton(box);
        copy->setIcon(icon(QStringLiteral("copy")));
        copy->setToolTip(tr("Copy"));
        copy->setAccessibleName(tr("Copy: %1").arg(way.title));
        connect(copy, &QToolButton::clicked, this, [text = way.code] { QApplication::clipboard()->setText(text); });
        row->addWidget(copy, 0, Qt::AlignTop);
        column->addWidget(box);
        columns->addLayout(column, 1);
    }
    return section;
}

// As many columns as there is room for, never more than the eight samples fill evenly.
void StartPage::arrangeCards()
{
    const ThemeManager& manager = ThemeManager::instance();
    const int body = std::min(viewport()->width() - 2 * kMargin, kMaxWidth);
    const int recent = m_recentColumn->isHidden() ? 0 : manager.scaled(kRecentWidth) + kMargin;
    const int columns = std::clamp((body - recent + kGap) / (manager.scaled(kCardWidth) + kGap), 1, 4);
    for (size_t i = 0; i < m_cards.size(); ++i) {
        const int n = static_cast<int>(i);
        m_cardGrid->addWidget(m_cards[i], n / columns, n % columns);
    }
    for (int i = 0; i < m_cardGrid->columnCount(); ++i)
        m_cardGrid->setColumnStretch(i, i < columns ? 1 : 0);
}

void StartPage::applyTheme()
{
    const ThemeManager& manager = ThemeManager::instance();
    for (const auto& [label, px] : m_texts)
        label->setFont(px < 0 ? manager.monoFont(-px) : manager.uiFont(px));
    m_recentColumn->setFixedWidth(manager.scaled(kRecentWidth));
    arrangeCards();
    // Cards and rows are painted from the theme.
    for (QWidget* child : m_page->findChildren<QWidget*>())
        child->update();
}

} // namespace hloscope
