// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "ui/table/attentioncount.h"

#include <QWidget>

class QToolButton;

namespace lockkeeper::ui {

// What a lock needs attention for, the most urgent first. One lock may count for several.
enum class Attention {
    DoubleHolder,
    Deadlock,
    NeverExpires,
    WatchdogStopped,
    LeaseRanOut,
    WaitersStuck,
    OtherFault,
    Contended,
    LongHeld
};

// As a reader would type it, see LockFilter.
[[nodiscard]] QString filterFor(Attention attention);

// How many locks need attention: each count is a button that filters the table. Where there is room, every one has its
// place, also when there is nothing to count. Thread: the GUI's.
class AttentionStrip final : public QWidget {
    Q_OBJECT
public:
    // Both outlive the strip.
    AttentionStrip(const LockTableModel& locks, Clock& clock, QWidget* parent = nullptr);
    ~AttentionStrip() override;

    // Marks the button of this filter, if there is one.
    void follow(const QString& filter);
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    // Empty: the button was switched off.
    void filterWanted(const QString& filter);

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
    void onLocksChanged();
    // Or earlier, if that is due already.
    void countAt(SteadyTime when);
    // In several turns of the loop if there are many locks.
    void count();
    void goOn();
    void showCounts();
    void retranslate();
    // Beginning with All, the first one that there is room for.
    enum class Form { All, FoundOnly, CountsOnly };
    void fit();
    static void showAs(const Item& item, Form form);

    const LockTableModel& m_locks;
    Clock& m_clock;
    Clock::TimerId m_timer = Clock::TimerId::None;
    SteadyTime m_due;
    std::vector<Item> m_items;
    std::optional<AttentionCount> m_count;  // under way
    ClockTimer m_next{m_clock, [this] { goOn(); }};
};

}  // namespace lockkeeper::ui
