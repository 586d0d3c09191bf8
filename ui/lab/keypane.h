// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/lab/labrecording.h"

#include <QTreeWidget>

namespace lockkeeper::ui {

// The servers with their keys as they are, the Sentinel, and what has changed since the moment before.
class KeyPane final : public QTreeWidget {
    Q_OBJECT
public:
    explicit KeyPane(QWidget* parent = nullptr);

    void showServers(const std::vector<ShownServer>& servers, const std::vector<lab::LabActor>& actors);
    // The place of the current row. Key: empty if the row is the server itself.
    struct Place {
        lab::ServerNumber server{};
        QByteArray key;
    };
    [[nodiscard]] Place currentPlace() const;

private:
    void retranslate();
    void addKey(QTreeWidgetItem& server, const ShownKey& key, const std::vector<lab::LabActor>& actors);
    QTreeWidgetItem* addRow(QTreeWidgetItem* parent, const QStringList& texts, const Place& place, Change change);
};

}  // namespace lockkeeper::ui
