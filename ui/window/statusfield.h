#pragma once

#include <QWidget>

class QLabel;

namespace lockkeeper::ui {

class IconLabel;

// One statement in the status bar: an icon, if it has one, and a text. Gone while it has no text.
class StatusField final : public QWidget {
    Q_OBJECT
public:
    // what: for screen readers, read before the text.
    explicit StatusField(QString what, QWidget* parent = nullptr);

    void set(const QIcon& icon, const QString& text, const QString& toolTip = {});
    [[nodiscard]] QString text() const;

private:
    QString m_what;
    IconLabel* m_icon;
    QLabel* m_text;
};

}  // namespace lockkeeper::ui
