// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/words/errortext.h"

#include <QFrame>

class QAbstractButton;
class QHBoxLayout;
class QLabel;

namespace lockkeeper::ui {

class IconLabel;

// A message on a quiet background of its tone, with an icon whose shape shows the tone too. Hidden while it has no
// text.
class InlineMessage final : public QFrame {
    Q_OBJECT
public:
    explicit InlineMessage(QWidget* parent = nullptr);

    void setMessage(const Message& message);
    // At the right end, from left to right.
    void addButton(QAbstractButton* button);
    [[nodiscard]] const QString& text() const noexcept { return m_whole; }
    // One line, as far as it fits; the tip has the rest.
    void setFolded(bool folded);
    [[nodiscard]] bool isFolded() const noexcept { return m_isFolded; }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showText();

    QString m_whole;
    bool m_isFolded = false;
    Tone m_tone = Tone::Info;
    IconLabel* m_icon;
    QLabel* m_text;
    QHBoxLayout* m_layout;
};

}  // namespace lockkeeper::ui
