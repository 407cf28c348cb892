// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/view_registry.h"

#include "views/graph/graph_view.h"
#include "views/hlo_text/hlo_text_view.h"
#include "views/inspector/inspector.h"
#include "views/memory/memory_view.h"
#include "views/tiling/layout_view.h"
#include "views/timeline/timeline_view.h"

#include <QCoreApplication>

namespace hloscope {

namespace {

struct Tabs {
    Q_DECLARE_TR_FUNCTIONS(Tabs)
};

template <class T> View* makeView(Workspace& workspace, Selection& selection, QWidget* parent)
{
    return new T(workspace, selection, parent);
}

} // namespace

std::vector<ViewKind> viewKinds()
{
    return {
        {QStringLiteral("timeline"), Tabs::tr("Timeline"), makeView<TimelineView>},
        {QStringLiteral("graph"), Tabs::tr("Graph"), makeView<GraphView>},
        {QStringLiteral("hlo"), Tabs::tr("HLO"), makeView<HloTextView>},
        {QStringLiteral("memory"), Tabs::tr("Memory"), makeView<MemoryView>},
        {QStringLiteral("layout"), Tabs::tr("Layout"), makeView<LayoutView>},
    };
}

QWidget* makeInspector(Workspace& workspace, Selection& selection, QWidget* parent)
{
    return new Inspector(workspace, selection, parent);
}

} // namespace hloscope
