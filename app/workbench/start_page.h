// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/workbench/samples.h"
#include "app/workbench/settings.h"
#include "views/common/worker.h"

#include <QScrollArea>

#include <memory>
#include <vector>

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace hloscope {

class SampleCard;

// What the window shows while nothing is open: where to drop a file, the bundled samples with their own timelines,
// recent files, and how to get something to open.
class StartPage : public QScrollArea {
    Q_OBJECT

public:
    StartPage(Settings& settings, QWidget* parent = nullptr);
    ~StartPage() override;

    void refreshRecent();
    const std::vector<SampleCard*>& cards() const { return m_cards; }
    // False while a card still waits for its strip.
    bool isReady() const;

signals:
    void openFileRequested();
    void openFolderRequested();
    void pasteRequested();
    void openRequested(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeDropZone();
    QWidget* makeSamples();
    QWidget* makeRecent();
    QWidget* makeHowTo();
    QLabel* makeText(const QString& text, double px, const char* role);
    void summarise();
    void arrangeCards();
    void applyTheme();

    Settings& m_settings;
    std::vector<SampleCard*> m_cards;
    std::vector<std::pair<QLabel*, double>> m_texts; // with their sizes, unscaled
    QWidget* m_page;
    QGridLayout* m_cardGrid = nullptr;
    QVBoxLayout* m_recentRows = nullptr;
    QWidget* m_recentColumn = nullptr;
    std::vector<std::shared_ptr<Progress>> m_reading;
    std::unique_ptr<Worker> m_worker;
};

} // namespace hloscope
