// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/op_category.h"

#include <QWidget>

#include <array>
#include <cstdint>
#include <vector>

namespace hloscope {

// The categories that occur, in legend order, as a row of squares with names. Where there is no room for all, those
// with the least time are left out and counted ("+2"); the tooltip names them all with their time.
class CategoryLegend : public QWidget {
    Q_OBJECT

public:
    explicit CategoryLegend(QWidget* parent = nullptr);

    // Picoseconds by category; those without time are not shown.
    void setTimes(const std::array<int64_t, kOpCategoryCount>& times);
    const std::vector<OpCategory>& categories() const { return m_categories; }
    // Those that fit into a width.
    std::vector<OpCategory> shownIn(int width) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int widthOf(OpCategory category) const;
    int widthOf(const std::vector<OpCategory>& categories) const;

    std::array<int64_t, kOpCategoryCount> m_times{};
    std::vector<OpCategory> m_categories; // in legend order
};

} // namespace hloscope
