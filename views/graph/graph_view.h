// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/view.h"
#include "views/graph/graph_picture.h"

#include <QList>
#include <QTimer>

#include <memory>

class QHBoxLayout;
class QLabel;
class QSpinBox;
class QToolButton;

namespace hloscope {

class GraphCanvas;
class GraphLayoutClient;
class NoticeArea;
class SegmentedControl;
class Selection;
class Workspace;
struct GraphLayoutReply;

// The data flow of a computation: the neighbourhood of the selected op, or all of it. Boxes are laid out in another
// process; meanwhile the picture before stays on the screen.
class GraphView : public View {
    Q_OBJECT

public:
    enum class Mode : uint8_t { Neighbourhood, Computation };

    GraphView(Workspace& workspace, Selection& selection, QWidget* parent = nullptr);
    ~GraphView() override;

    bool isReady() const override;
    // Everything if it can be read at this size, else what the window shows.
    void exportTo(QPainter& painter) override;

    Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    int radius() const { return m_radius; }
    void setRadius(int radius);

    GraphCanvas* canvas() const { return m_canvas; }
    GraphLayoutClient* layoutClient() const { return m_client; }
    NoticeArea* notices() const { return m_notices; }

private:
    void buildToolRow();
    void addRadiusControls(QWidget* row, QHBoxLayout* line);
    void buildEmptyPage();
    void updateBreadcrumb();
    void updateEmptyPage();
    void follow();
    GraphRequest request() const;
    void layOut(GraphScene scene);
    void showReply(const GraphLayoutReply& reply);
    void showNotices(const GraphLayoutReply& reply);
    void refreshWords();
    void updateBusy();
    void selectNode(size_t node);
    void enterNode(size_t node);
    void ascend();

    Workspace& m_workspace;
    Selection& m_selection;
    Mode m_mode = Mode::Neighbourhood;
    int m_radius = 2;

    GraphCanvas* m_canvas;
    GraphLayoutClient* m_client;
    NoticeArea* m_notices;
    QWidget* m_emptyPage = nullptr;
    QLabel* m_emptyText = nullptr;
    QWidget* m_breadcrumb = nullptr;
    QHBoxLayout* m_breadcrumbRow = nullptr;
    SegmentedControl* m_modeControl = nullptr;
    QSpinBox* m_radiusBox = nullptr;
    QList<QWidget*> m_radiusControls;
    QToolButton* m_zoomButton = nullptr;
    QTimer m_busyTimer;

    GraphPicture m_pending; // waits for its geometry
    GraphRequest m_shownRequest; // of the picture on the canvas or the pending one
    std::shared_ptr<const HloModule> m_shownModule;
    bool m_isOwnClick = false; // the selection changes because a node was clicked: it stays under the pointer
    bool m_centresNext = false; // the selection has come from elsewhere
};

} // namespace hloscope
