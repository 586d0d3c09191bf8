// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/notice/noticerules.h"

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

// Patterns as a user types them, with blanks between; a blank in a name is a ?.
[[nodiscard]] QList<QByteArray> patternsFrom(const QString& text);
[[nodiscard]] QString patternsText(const QList<QByteArray>& patterns);

// The diagnoses that are found by watching alone.
[[nodiscard]] QList<monitor::DiagnosisKind> noticeableDiagnoses();

}  // namespace lockkeeper::ui
