// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/command_field.h"

#include "views/common/icons.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace hloscope {

namespace {

constexpr double kFieldHeight = 26;
constexpr double kRowHeight = 26;
constexpr int kMaxRows = 12;
constexpr double kIconSize = 14;

class HitDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const ThemeManager& manager = ThemeManager::instance();
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        if (isSelected)
            painter->fillRect(option.rect, theme().selection);
        else if ((option.state & QStyle::State_MouseOver) != 0)
            painter->fillRect(option.rect, theme().selectionSoft);
        const int size = manager.scaled(kIconSize);
        QRect rect = option.rect.adjusted(10, 0, -10, 0);
        const QPixmap picture = iconPixmap(index.data(GotoModel::IconRole).toString(), size, theme().text2,
                                           painter->device()->devicePixelRatioF());
        painter->drawPixmap(rect.left(), rect.center().y() - size / 2, picture);
        rect.setLeft(rect.left() + size + 8);

        painter->setFont(manager.uiFont(11));
        painter->setPen(theme().text2);
        const QString detail = painter->fontMetrics().elidedText(index.data(GotoModel::DetailRole).toString(),
                                                                 Qt::ElideMiddle, rect.width() / 2);
        painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, detail);
        rect.setRight(rect.right() - painter->fontMetrics().horizontalAdvance(detail) - 12);

        painter->setFont(index.data(GotoModel::MonoRole).toBool() ? manager.monoFont(12) : manager.uiFont(12));
        painter->setPen(theme().text);
        const QString text = index.data().toString();
        painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          painter->fontMetrics().elidedText(text, Qt::ElideMiddle, rect.width()));
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {10, ThemeManager::instance().scaled(kRowHeight)};
    }
};

} // namespace

CommandField::CommandField(GotoModel* model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_edit(new QLineEdit(this))
    , m_keyCap(new QLabel(this))
    , m_popup(nullptr)
    , m_list(new QListView)
{
    m_edit->setObjectName(QStringLiteral("commandField"));
    m_edit->setFrame(false);
    m_edit->setFocusPolicy(Qt::ClickFocus); // never by accident: letters are commands elsewhere
    m_edit->setStyleSheet(QStringLiteral("QLineEdit { background: transparent; border: 0; padding: 0; }"));
    m_edit->setAccessibleName(tr("Go to op, computation, file or command"));
    m_edit->installEventFilter(this);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(30, 0, 6, 0);
    layout->setSpacing(6);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_keyCap, 0, Qt::AlignVCenter);
    m_keyCap->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_keyCap->setProperty("role", "caption");
    setFocusProxy(m_edit);

    m_list->setModel(m_model);
    m_list->setItemDelegate(new HitDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setProperty("role", "popupList");
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setAccessibleName(tr("Found"));
    connect(m_list, &QListView::clicked, this, &CommandField::choose);
    connect(m_edit, &QLineEdit::textEdited, this, &CommandField::search);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &CommandField::applyTheme);
    applyTheme();
}

void CommandField::start(const QString& text)
{
    QWidget* focus = QApplication::focusWidget();
    if (focus != m_edit)
        m_focusBefore = focus;
    m_edit->setFocus(Qt::OtherFocusReason); // a shortcut would select the text, and typing replace it
    m_edit->setText(text);
    search(text);
}

void CommandField::setPlaceholder(const QString& text)
{
    m_edit->setPlaceholderText(text);
}

void CommandField::setKeyCap(const QString& text)
{
    m_keyCap->setText(text);
}

bool CommandField::isOpen() const
{
    return m_popup != nullptr && m_popup->isVisible();
}

bool CommandField::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_edit) {
        switch (event->type()) {
        case QEvent::KeyPress:
            if (handleKey(static_cast<QKeyEvent*>(event)->key()))
                return true;
            break;
        case QEvent::MouseButtonPress:
            if (!isOpen())
                start(m_edit->text());
            break;
        case QEvent::FocusOut:
            if (m_popup != nullptr)
                m_popup->hide();
            m_edit->clear();
            update();
            break;
        case QEvent::FocusIn:
            update();
            break;
        default:
            break;
        }
    } else if (event->type() == QEvent::Resize && isOpen()) {
        placeList();
    }
    return QWidget::eventFilter(watched, event);
}

bool CommandField::handleKey(int key)
{
    const int row = m_list->currentIndex().row();
    const int last = m_model->rowCount() - 1;
    const auto moveTo = [&](int wanted) {
        if (last < 0)
            return;
        m_list->setCurrentIndex(m_model->index(std::clamp(wanted, 0, last)));
    };
    switch (key) {
    case Qt::Key_Down:
        if (!isOpen())
            search(m_edit->text());
        else
            moveTo(row == last ? 0 : row + 1);
        return true;
    case Qt::Key_Up:
        moveTo(row <= 0 ? last : row - 1);
        return true;
    case Qt::Key_PageDown:
        moveTo(row + kMaxRows);
        return true;
    case Qt::Key_PageUp:
        moveTo(row - kMaxRows);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(m_list->currentIndex());
        return true;
    case Qt::Key_Escape:
        finish();
        return true;
    default:
        return false;
    }
}

void CommandField::search(const QString& text)
{
    m_model->setQuery(text);
    if (m_popup == nullptr) {
        m_popup = new QFrame(window());
        m_popup->setProperty("role", "popup");
        auto* layout = new QVBoxLayout(m_popup);
        layout->setContentsMargins(4, 4, 4, 4);
        layout->addWidget(m_list);
        window()->installEventFilter(this);
    }
    if (m_model->rowCount() > 0)
        m_list->setCurrentIndex(m_model->index(0));
    placeList();
    m_popup->setVisible(m_model->rowCount() > 0);
    m_popup->raise();
}

void CommandField::placeList()
{
    const int rows = std::min(m_model->rowCount(), kMaxRows);
    const int height = rows * ThemeManager::instance().scaled(kRowHeight) + 10;
    const QPoint below = mapTo(window(), QPoint(0, this->height() + 2));
    m_popup->setGeometry(below.x(), below.y(), width(), height);
}

void CommandField::choose(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    const GotoHit hit = m_model->hit(index.row());
    finish();
    emit chosen(hit);
}

void CommandField::finish()
{
    if (m_popup != nullptr)
        m_popup->hide();
    if (m_focusBefore != nullptr && m_focusBefore->isVisible())
        m_focusBefore->setFocus(Qt::OtherFocusReason);
    else
        m_edit->clearFocus();
    m_focusBefore = nullptr;
}

void CommandField::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setBrush(theme().panel);
    painter.setPen(m_edit->hasFocus() ? theme().accent : theme().border);
    painter.drawRoundedRect(frame, 5, 5);
    const int size = ThemeManager::instance().scaled(kIconSize);
    painter.drawPixmap(10, (height() - size) / 2,
                       iconPixmap(QStringLiteral("search"), size, theme().text3, devicePixelRatioF()));
    if (!m_keyCap->text().isEmpty()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme().borderStrong);
        painter.drawRoundedRect(QRectF(m_keyCap->geometry()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

void CommandField::applyTheme()
{
    const ThemeManager& manager = ThemeManager::instance();
    setFixedSize(manager.scaled(kWidth), manager.scaled(kFieldHeight));
    m_edit->setFont(manager.uiFont(12));
    m_keyCap->setFont(manager.uiFont(11));
    m_keyCap->setContentsMargins(5, 0, 5, 1);
    update();
}

} // namespace hloscope
