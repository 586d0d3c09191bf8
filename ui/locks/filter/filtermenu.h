// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QToolButton>

class QMenu;
class QSettings;

namespace lockkeeper::ui {

// The button beside the filter of the table: the user's saved filters, a way to save the one that is typed, and to
// delete one. All sessions have the same.
class FilterMenu final : public QToolButton {
    Q_OBJECT
public:
    // settings: outlives it.
    explicit FilterMenu(QSettings& settings, QWidget* parent = nullptr);

    // What is typed in the filter.
    void setTyped(const QString& text) { m_typed = text; }

Q_SIGNALS:
    void filterChosen(const QString& text);
    // The filter was not saved: there are too many, or it is too long.
    void saveRefused();

private:
    void fill();
    void addSaved();
    void askForName();
    void retranslate();

    QSettings& m_settings;
    QString m_typed;
    QMenu* m_menu;
};

}  // namespace lockkeeper::ui
