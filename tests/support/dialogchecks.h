// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QHeaderView>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>

namespace lockkeeper::test {

// Whether a scroll area brings all of the part into sight: its bars are hidden only where there is nothing to scroll.
inline bool isReachedByScrolling(const QWidget& part) {
    for (const QWidget* above = part.parentWidget(); above && !above->isWindow(); above = above->parentWidget()) {
        const auto* area = qobject_cast<const QScrollArea*>(above);
        if (!area || !area->widget() || !area->widget()->isAncestorOf(&part))
            continue;
        const QRect place(part.mapTo(area->widget(), QPoint()), part.size());
        const bool isSideways = area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
        const bool isWide = place.left() < 0 || place.right() >= area->viewport()->width();
        const bool isLow = area->viewport()->height() < 3 * area->fontMetrics().height();
        return !isLow && (isSideways || !isWide) && area->widget()->rect().contains(place);
    }
    return false;
}

// Whether the dock that the part stands in is behind another one.
inline bool isBehindATab(const QWidget& part) {
    for (const QWidget* above = part.parentWidget(); above; above = above->parentWidget()) {
        if (qobject_cast<const QDockWidget*>(above))
            return above->visibleRegion().isEmpty();
    }
    return false;
}

// Why the part cannot be read or used, without its name; empty if it can.
inline QString whatIsWrongWith(const QWidget& part) {
    const auto* label = qobject_cast<const QLabel*>(&part);
    const auto* view = qobject_cast<const QAbstractItemView*>(&part);
    const bool isButton = qobject_cast<const QAbstractButton*>(&part);
    const bool isField = qobject_cast<const QLineEdit*>(&part) || qobject_cast<const QComboBox*>(&part) ||
                         qobject_cast<const QAbstractSpinBox*>(&part);
    if (!label && !view && !isButton && !isField)
        return {};
    const QSize least = part.minimumSizeHint();
    if ((isButton || isField) && part.height() < least.height())
        return QStringLiteral("Squeezed");
    if (isButton && part.width() < least.width())
        return QStringLiteral("Cut");
    if (label && part.height() < (label->wordWrap() ? label->heightForWidth(label->width()) : least.height()))
        return QStringLiteral("Cut");
    const bool mayBeShortened = part.sizePolicy().horizontalPolicy() == QSizePolicy::Ignored;
    if (label && !label->wordWrap() && !mayBeShortened && part.width() < least.width())
        return QStringLiteral("Cut");
    if (view && view->viewport()->height() < view->fontMetrics().height())
        return QStringLiteral("Too low");
    // The cells cover the rest of a view.
    const QWidget& seen = view ? *view->viewport() : part;
    if (seen.visibleRegion() != QRegion(seen.rect()) && !isReachedByScrolling(part))
        return QStringLiteral("Out of sight");
    return {};
}

// The parts of a window that can neither be seen nor be reached by scrolling; empty if there are none.
inline QString whatIsOutOfReach(const QWidget& shown) {
    QStringList faults;
    for (const QWidget* part : shown.findChildren<QWidget*>()) {
        const bool isQtsOwn =
            part->objectName().startsWith(QLatin1String("qt_")) || qobject_cast<const QComboBox*>(part->parent()) ||
            qobject_cast<const QLineEdit*>(part->parent()) || qobject_cast<const QAbstractItemView*>(part->parent()) ||
            qobject_cast<const QHeaderView*>(part);
        if (isQtsOwn || !part->isVisible() || part->window() != shown.window() || isBehindATab(*part))
            continue;
        if (const QString fault = whatIsWrongWith(*part); !fault.isEmpty())
            faults << QStringLiteral("%1: %2 %3")
                          .arg(fault, part->objectName(), part->property("text").toString().left(60));
    }
    return faults.join(QStringLiteral("; "));
}

// What of an open window is beside the screen or out of reach; empty if it fits.
inline QString whatDoesNotFit(const QWidget& window) {
    const QRect screen = window.screen()->availableGeometry();
    const QRect frame = window.frameGeometry();
    if (screen.contains(frame))
        return whatIsOutOfReach(window);
    return QStringLiteral("Not on the screen: from %1, %2 to %3, %4")
        .arg(frame.left())
        .arg(frame.top())
        .arg(frame.right())
        .arg(frame.bottom());
}

// The access keys, with Alt, of the controls that can be seen or scrolled to.
inline QList<QKeySequence> keysOfVisibleControls(const QDialog& dialog) {
    QList<QKeySequence> keys;
    for (const QAbstractButton* button : dialog.findChildren<QAbstractButton*>()) {
        if (button->isVisible())
            keys << button->shortcut();
    }
    for (const QLabel* label : dialog.findChildren<QLabel*>()) {
        if (label->isVisible() && label->buddy())
            keys << QKeySequence::mnemonic(label->text());
    }
    keys.removeAll(QKeySequence());
    return keys;
}

}  // namespace lockkeeper::test
