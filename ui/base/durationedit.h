// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QWidget>

class QComboBox;
class QSpinBox;

namespace lockkeeper::ui {

// A number and its unit: milliseconds, seconds, minutes or hours.
class DurationEdit final : public QWidget {
    Q_OBJECT
public:
    // minimum and initial in whole seconds.
    DurationEdit(std::chrono::seconds minimum, std::chrono::seconds initial, QWidget* parent = nullptr);

    [[nodiscard]] Milliseconds duration() const;
    void setDuration(std::chrono::seconds duration);
    // For screen readers: "Lease".
    void setWhat(const QString& what);
    // What stands in place of zero, e.g. "do not wait".
    void setZeroText(const QString& text);

Q_SIGNALS:
    // Also for each digit that is typed.
    void changed();
    // The user has chosen another duration and is done with it: has left number and unit, pressed Enter, or closed the
    // window.
    void finished();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void retranslate();
    void finish();

    QString m_what;
    Milliseconds m_finished{0};  // as set or as finished last
    QSpinBox* m_number;
    QComboBox* m_unit;
};

}  // namespace lockkeeper::ui
