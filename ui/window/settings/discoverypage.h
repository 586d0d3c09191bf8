// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/discoverysettings.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QSpinBox;

namespace lockkeeper::ui {

// The page of the settings for how locks are searched for. Announces each change at once.
class DiscoveryPage final : public QWidget {
    Q_OBJECT
public:
    explicit DiscoveryPage(const profile::DiscoverySettings& settings, QWidget* parent = nullptr);

    void setSettings(const profile::DiscoverySettings& settings);

Q_SIGNALS:
    void changed(const lockkeeper::profile::DiscoverySettings& settings);

private:
    void makeLayout();
    [[nodiscard]] profile::DiscoverySettings settings() const;
    void announce();
    void retranslate();

    QLabel* m_meaning;
    QLabel* m_shareLabel;
    QSpinBox* m_share;
    QLabel* m_matchesLabel;
    QPlainTextEdit* m_matches;
    QLabel* m_prefixesLabel;
    QPlainTextEdit* m_prefixes;
};

}  // namespace lockkeeper::ui
