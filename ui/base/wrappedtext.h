// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>
#include <QPlainTextEdit>

namespace lockkeeper::ui {

// Text to read and to copy, as high as it needs up to some lines, then scrolled. Breaks anywhere, for ids and names
// without blanks.
class WrappedText final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit WrappedText(int maximumLines, QWidget* parent = nullptr);

    // Keeps what the reader has selected when nothing changes.
    void setText(const QString& text);
    using MarkIcon = QIcon (*)(int mark);
    // A mark before each paragraph, as that icon; none where it is negative. Without any no room is kept.
    void setMarks(const QList<int>& marks, MarkIcon icon);
    [[nodiscard]] const QList<int>& marks() const noexcept { return m_marks; }
    // It does not become lower than a few lines that it had, until this is called or it becomes wider by more than a
    // scroll bar.
    void forgetHeight();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void placeMarks();
    void paintMarks() const;
    [[nodiscard]] int lines() const;
    void fitHeight();

    QWidget* m_markArea;
    QList<int> m_marks;
    MarkIcon m_markIcon = nullptr;
    int m_maximumLines;
    int m_mostLines = 1;
    int m_fittedWidth = 0;  // the narrowest since the height was forgotten
};

}  // namespace lockkeeper::ui
