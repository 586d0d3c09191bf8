// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;

namespace lockkeeper::ui {

class IconLabel;

// One statement in the status bar: an icon, if it has one, and a text. Gone while it has no text.
class StatusField final : public QWidget {
    Q_OBJECT
public:
    explicit StatusField(QWidget* parent);

    // what: for screen readers, read before the text. help: What's This.
    void describe(const QString& what, const QString& help);
    void set(const QIcon& icon, const QString& text, const QString& toolTip = {});
    [[nodiscard]] QString text() const;

private:
    void showAccessibleName();

    QString m_what;
    IconLabel* m_icon;
    QLabel* m_text;
};

}  // namespace lockkeeper::ui
