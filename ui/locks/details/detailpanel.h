// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/ticker.h"
#include "ui/locks/clients/holderknowledge.h"
#include "ui/locks/details/remedy.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/words/absencetext.h"

#include <QWidget>

#include <array>

class QAction;
class QLabel;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace lockkeeper::ui {

class ClientColors;
class DetailHeader;
class DiagnosisCards;
class HolderSection;
class InlineMessage;
class QueueTable;
class WrappedText;

// Whether a lock has a row in the table, and whether the filter is all that keeps it out.
struct TablePlace {
    Absence absence = Absence::None;
    bool canBeShown = false;
};

// Everything that is known of one lock, and what may be concluded from it: a header, and sections that are scrolled
// below it. Once a section has been shown for a lock, it stays until another lock is shown, so that nothing jumps while
// its facts come and go.
class DetailPanel final : public QWidget {
    Q_OBJECT
public:
    // time and clock outlive the panel.
    DetailPanel(const ViewTime& time, Clock& clock, QWidget* parent = nullptr);

    void showLock(const monitor::LockRow& row, OwnLease own, TablePlace place = TablePlace());
    void showNothing();
    void setKnowledge(const HolderKnowledge& knowledge);
    // What operators did to the lock that is shown, a line each, the newest first.
    void setOperatorActions(const QStringList& lines);
    // Outlive the panel.
    void setClientColors(const ClientColors& colors);
    // Buttons in the header.
    void offerActions(const QList<QAction*>& actions);
    // Its signals are the reader's requests about the lock's holders.
    [[nodiscard]] HolderSection& holderSection() noexcept { return *m_holderSection; }

Q_SIGNALS:
    // The filter is to show the lock.
    void showWanted();
    // The reader wants to do this about the lock.
    void remedyWanted(lockkeeper::ui::Remedy remedy, const lockkeeper::LockName& lock);
    // The reader wants to remove this dead waiter from the queue of the lock.
    void removalWanted(const lockkeeper::LockName& lock, const lockkeeper::HolderId& waiter);

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Empty { Hidden, Shown };  // a section that never had a text for this lock
    // A caption and its text.
    struct Field {
        QLabel* caption = nullptr;
        WrappedText* text = nullptr;
        Empty empty = Empty::Hidden;
        bool wasShown = false;  // for this lock
    };
    // The first section in sight, and where it stood.
    struct Anchor {
        QWidget* section = nullptr;
        int y = 0;
        int offset = 0;  // from the top of the sight
    };

    void retranslate();
    static void setCaption(const Field& field, const QString& caption);
    [[nodiscard]] Field addField(const QString& objectName, int maximumLines, Empty empty = Empty::Hidden);
    void makeHeader(QVBoxLayout& layout);
    void makePage(QVBoxLayout& layout);
    [[nodiscard]] std::array<Field*, 17> fields();
    void startOver();
    void onScrolled(int value);
    [[nodiscard]] QWidget* firstInSight() const;
    // The moment that the texts about the lock are for.
    [[nodiscard]] const ViewTime& time() const;
    void makeAbsence(QVBoxLayout& layout);
    void makeFields();
    void setField(Field& field, const QString& text);
    // Sets the text, with the marks of the clients that it names.
    void setClients(Field& field, const QString& text);
    void showAll();
    void showSections();
    void showTimes();
    void tick();

    const ViewTime& m_time;
    Ticker m_ticker;
    Anchor m_anchor;
    std::optional<monitor::LockRow> m_row;
    OwnLease m_own = OwnLease::None;
    TablePlace m_place;
    HolderAliases m_aliases;
    const ClientColors* m_colors = nullptr;
    QStringList m_actions;

    DetailHeader* m_header;
    QScrollArea* m_scroll;
    QWidget* m_page;
    QVBoxLayout* m_sections;
    QLabel* m_nothing = nullptr;
    InlineMessage* m_absence = nullptr;
    QToolButton* m_show = nullptr;
    DiagnosisCards* m_diagnoses = nullptr;
    HolderSection* m_holderSection = nullptr;
    Field m_conclusions;
    Field m_kind;
    Field m_holders;
    Field m_threads;
    Field m_since;
    Field m_lease;
    Field m_renewals;
    Field m_throughput;
    Field m_values;
    Field m_waiters;
    QueueTable* m_queueTable = nullptr;
    Field m_queue;
    Field m_waits;
    Field m_token;
    Field m_channel;
    Field m_operators;
    Field m_node;
    Field m_seen;
};

}  // namespace lockkeeper::ui
