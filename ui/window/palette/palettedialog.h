// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/fitteddialog.h"

#include <QIcon>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace lockkeeper::ui {

// Something that can be chosen by typing a part of its name.
struct PaletteEntry {
    QByteArray id;  // of what it is about: the same in every language
    QIcon icon;
    QString text;
    QString detail;  // what it is; also found by
    QString key;
    bool isEnabled = true;
    bool isShownAtFirst = true;  // before anything is typed
    std::function<void()> run;
    int handicap = 0;  // for what is seldom meant: comes after others that match as well
};

// A field and the entries that match it best. By the keyboard alone: arrows choose, Enter runs, Esc closes.
class PaletteDialog final : public FittedDialog {
    Q_OBJECT
public:
    static constexpr int mostShown = 50;

    // list: makes the entries, now and when the language has changed; otherwise they stay as they are.
    explicit PaletteDialog(std::function<std::vector<PaletteEntry>()> list, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeLayout();
    void retranslate();
    void search(const QString& typed);
    void fill(const std::vector<size_t>& found);
    // The places of the entries that match, the best first.
    [[nodiscard]] std::vector<size_t> matching(const QString& typed) const;
    // Null: no entry is current.
    [[nodiscard]] const PaletteEntry* current() const;
    void setCurrent(const QByteArray& id);
    void runCurrent();

    std::function<std::vector<PaletteEntry>()> m_makeEntries;
    std::vector<PaletteEntry> m_entries;
    QLineEdit* m_field;
    QTreeWidget* m_list;
    QLabel* m_count;
};

}  // namespace lockkeeper::ui
