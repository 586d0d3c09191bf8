// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/clients/holderknowledge.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/words/absencetext.h"
#include "ui/words/programnames.h"
#include "ui/words/viewtime.h"

#include <QWidget>

class QAction;
class QLabel;
class QToolButton;

namespace lockkeeper::ui {

class ClientColors;
class FlowLayout;
class IconLabel;
class WrappedText;

// What is needed of a lock in every case, and what can be done with it. It does not scroll, and each line keeps its
// place also when there is nothing to show in it.
class DetailHeader final : public QWidget {
    Q_OBJECT
public:
    // time outlives the header.
    explicit DetailHeader(const ViewTime& time, QWidget* parent = nullptr);

    // Outlive the header.
    void setClientColors(const ClientColors& colors) { m_colors = &colors; }
    void setAliases(const HolderAliases& aliases);
    void setNames(const ProgramNames& names);
    // Buttons for what the window can do with the lock.
    void offerActions(const QList<QAction*>& actions);
    void setLock(const monitor::LockRow& row, Ownership ownership, Absence absence);
    void showTimes();
    void retranslate();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeLayout();
    [[nodiscard]] QToolButton* makeButton(const QString& objectName);
    [[nodiscard]] const ViewTime& time() const { return m_time.of(m_row.lock); }
    void showAll();
    void showHolder();
    [[nodiscard]] QString stateLine(LockState state) const;
    enum class Length { Usual, Short };
    [[nodiscard]] QString ageText(Length length) const;
    [[nodiscard]] QString ttlText(Length length) const;
    void copyName() const;

    const ViewTime& m_time;
    const ClientColors* m_colors = nullptr;
    HolderAliases m_aliases;
    ProgramNames m_names;
    monitor::LockRow m_row;
    Ownership m_ownership = Ownership::Others;
    Absence m_absence = Absence::None;

    IconLabel* m_stateIcon;
    QLabel* m_state;
    WrappedText* m_name;
    QLabel* m_key;  // on the server, if the program has another name for the lock
    IconLabel* m_swatch;
    QLabel* m_holder;
    QLabel* m_age;
    QLabel* m_ttl;
    QToolButton* m_copy;
    FlowLayout* m_buttons = nullptr;
};

}  // namespace lockkeeper::ui
