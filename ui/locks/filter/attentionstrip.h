// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/workinturns.h"
#include "ui/locks/filter/attentioncount.h"

#include <QSet>
#include <QWidget>

class QSpacerItem;
class QToolButton;

namespace lockkeeper::ui {

// What a lock needs attention for, or a client, the most urgent first. One lock may count for several.
enum class Attention {
    DoubleHolder,
    Deadlock,
    ClientSilent,  // a client, not a lock
    NeverExpires,
    WatchdogStopped,
    LeaseRanOut,
    WaitersStuck,
    OtherFault,
    Contended,
    LongHeld
};

// The filter as a reader would type it, see LockFilter; empty for clients.
[[nodiscard]] QString filterFor(Attention attention);

// How many locks and clients need attention: each count is a button that filters the table, or goes to the clients.
// Where there is room, every one has its place, also when there is nothing to count. Its height stays the same,
// whatever is found. Thread: the GUI's.
class AttentionStrip final : public QWidget {
    Q_OBJECT
public:
    // Both outlive the strip.
    AttentionStrip(const LockTableModel& locks, Clock& clock, QWidget* parent = nullptr);

    // Marks the button of this filter, if there is one.
    void follow(const QString& filter);
    void follow(const monitor::MonitorBatch& batch);
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    // filter: empty if the button was switched off.
    void filterWanted(const QString& filter);
    void clientWanted(const lockkeeper::ClientId& client);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Item {
        Attention attention;
        LockFilter filter;
        QToolButton* button;
        int count = 0;
    };

    void addItem(Attention attention);
    void wantClient();
    void showClients();
    void onLocksChanged();
    void count();
    void showCounts(const AttentionCount& counts);
    void retranslate();
    void keepHeight();
    // Beginning with All, the first one that there is room for.
    enum class Form { All, FoundOnly, CountsOnly };
    void fit();
    static void showAs(const Item& item, Form form);

    const LockTableModel& m_locks;
    Clock& m_clock;
    std::vector<Item> m_items;
    QSet<ClientId> m_silent;          // clients with a diagnosis
    QSpacerItem* m_height = nullptr;  // the layout's; as high as a button
    ClockTimer m_next{m_clock, [this] { count(); }};
    WorkInTurns<AttentionCount> m_counting{m_clock, [this](const AttentionCount& counts) { showCounts(counts); }};
};

}  // namespace lockkeeper::ui
