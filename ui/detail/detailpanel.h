// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/holders/holderknowledge.h"
#include "ui/table/locktablemodel.h"
#include "ui/time/ticker.h"
#include "ui/words/absencetext.h"

#include <QScrollArea>

class QLabel;
class QStackedLayout;
class QToolButton;
class QVBoxLayout;

namespace lockkeeper::ui {

class DiagnosisCards;
class HolderSection;
class IconLabel;
class InlineMessage;
class WrappedText;

// Whether a lock has a row in the table, and whether the filter is all that keeps it out.
struct TablePlace {
    Absence absence = Absence::None;
    bool canBeShown = false;
};

// Everything that is known of one lock, and what may be concluded from it.
class DetailPanel final : public QScrollArea {
    Q_OBJECT
public:
    // time and clock outlive the panel.
    DetailPanel(const ViewTime& time, Clock& clock, QWidget* parent = nullptr);

    void showLock(const monitor::LockRow& row, Ownership ownership, TablePlace place = TablePlace());
    void showNothing();
    void setKnowledge(const HolderKnowledge& knowledge);
    // Its signals are the reader's requests about the lock's holders.
    [[nodiscard]] HolderSection& holderSection() noexcept { return *m_holderSection; }

Q_SIGNALS:
    // The filter is to show the lock.
    void showWanted();

protected:
    void showEvent(QShowEvent* event) override;

private:
    // A caption and its text; both are hidden while the text is empty.
    struct Field {
        QLabel* caption;
        WrappedText* text;
    };

    void retranslate();
    static void setCaption(const Field& field, const QString& caption);
    [[nodiscard]] Field addField(QVBoxLayout& layout, const QString& objectName, int maximumLines);
    void makeHeader(QVBoxLayout& layout);
    // The moment that the texts about the lock are for.
    [[nodiscard]] const ViewTime& time() const;
    void makeAbsence(QVBoxLayout& layout);
    [[nodiscard]] QString stateLine(LockState state) const;
    void makeFields(QVBoxLayout& layout);
    static void setField(const Field& field, const QString& text);
    void showAll();
    void showTimes();
    void tick();
    void copyName() const;

    [[nodiscard]] QString holdersText() const;
    [[nodiscard]] QString sinceText() const;
    [[nodiscard]] QString leaseText() const;
    [[nodiscard]] QString renewalsText() const;
    [[nodiscard]] QString waitersText() const;
    [[nodiscard]] QString queueText() const;
    [[nodiscard]] QString queueText(const QList<monitor::FairWaiter>& queue) const;
    [[nodiscard]] QString valuesText() const;
    [[nodiscard]] QString holderText(const monitor::Holder& holder) const;
    [[nodiscard]] QStringList leaseEnds(const monitor::Holder& reader) const;

    const ViewTime& m_time;
    Ticker m_ticker;
    std::optional<monitor::LockRow> m_row;
    Ownership m_ownership = Ownership::Others;
    TablePlace m_place;
    HolderAliases m_aliases;

    QWidget* m_page = nullptr;
    QLabel* m_nothing = nullptr;
    InlineMessage* m_absence = nullptr;
    QToolButton* m_show = nullptr;
    IconLabel* m_stateIcon = nullptr;
    QLabel* m_state = nullptr;
    QToolButton* m_copy = nullptr;
    WrappedText* m_name = nullptr;
    DiagnosisCards* m_diagnoses = nullptr;
    HolderSection* m_holderSection = nullptr;
    Field m_conclusions{};
    Field m_kind{};
    Field m_holders{};
    Field m_since{};
    Field m_lease{};
    Field m_renewals{};
    Field m_throughput{};
    Field m_values{};
    Field m_waiters{};
    Field m_queue{};
    Field m_token{};
    Field m_channel{};
    Field m_node{};
    Field m_seen{};
};

}  // namespace lockkeeper::ui
