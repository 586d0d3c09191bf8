// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>

namespace lockkeeper::test {

// The parts of an open dialog that can neither be seen nor be reached by scrolling; empty if there are none.
inline QString whatDoesNotFit(const QDialog& dialog) {
    if (!dialog.screen()->availableGeometry().contains(dialog.frameGeometry()))
        return QStringLiteral("The dialog is not on the screen: y %1, height %2").arg(dialog.y()).arg(dialog.height());
    for (const QWidget* part : dialog.findChildren<QWidget*>()) {
        const bool isControl = qobject_cast<const QLineEdit*>(part) || qobject_cast<const QComboBox*>(part) || qobject_cast<const QAbstractButton*>(part);
        const bool isQtsOwn = part->objectName().startsWith(QLatin1String("qt_")) || qobject_cast<const QComboBox*>(part->parent());
        if (isControl && !isQtsOwn && part->isVisible() && part->height() < part->minimumSizeHint().height())
            return QStringLiteral("Squeezed: %1").arg(part->objectName());
    }
    for (const QLabel* label : dialog.findChildren<QLabel*>()) {
        const int needed = label->wordWrap() ? label->heightForWidth(label->width()) : label->minimumSizeHint().height();
        if (label->isVisible() && label->height() < needed)
            return QStringLiteral("Cut: %1").arg(label->text());
    }
    for (const QPushButton* button : dialog.findChildren<QPushButton*>()) {
        if (button->isVisible() && button->visibleRegion() != QRegion(button->rect()))
            return QStringLiteral("Out of sight: %1").arg(button->text());
    }
    return {};
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
