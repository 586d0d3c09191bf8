// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSet>
#include <QString>

class QTreeWidget;

namespace lockkeeper::ui {

// The position of a reader in a tree that is about to be filled again: the current item, which groups are folded, and
// the item at the top. Items are identified by the unique keys in their first column; an item without a key is not.
class TreePlace {
public:
    TreePlace(const QTreeWidget& tree, int keyRole);

    // New groups are open.
    void restore(QTreeWidget& tree) const;

private:
    int m_keyRole;
    QString m_current;
    int m_currentColumn = 0;
    QString m_top;
    int m_down = 0;
    int m_sideways = 0;
    QSet<QString> m_folded;
};

}  // namespace lockkeeper::ui
