// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/notice/noticerules.h"

#include <QObject>

class QSettings;

namespace lockkeeper::ui {

// Which notifications the user gets, and how. Without a rule there are none.
struct NoticeSettings {
    monitor::NoticeRules rules;
    bool onDesktop = true;
    bool withSound = false;

    [[nodiscard]] static NoticeSettings load(QSettings& settings);
    void save(QSettings& settings) const;
    friend bool operator==(const NoticeSettings&, const NoticeSettings&) = default;
};

// The settings of notifications, which all sessions share. Thread: the GUI's.
class NoticeChoice final : public QObject {
    Q_OBJECT
public:
    // settings: outlives it, and keeps each change at once.
    explicit NoticeChoice(QSettings& settings, QObject* parent = nullptr);

    [[nodiscard]] const NoticeSettings& chosen() const noexcept { return m_chosen; }
    void choose(const NoticeSettings& chosen);

Q_SIGNALS:
    void changed();

private:
    QSettings& m_settings;
    NoticeSettings m_chosen;
};

// Patterns as a user types them, with blanks between; a blank in a name is a ?.
[[nodiscard]] QList<QByteArray> patternsFrom(const QString& text);
[[nodiscard]] QString patternsText(const QList<QByteArray>& patterns);

}  // namespace lockkeeper::ui
