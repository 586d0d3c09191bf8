#pragma once

#include <QSet>
#include <QString>

class QTreeWidget;

namespace lockkeeper::ui {

// Where a reader is in a tree that is about to be filled anew: what is current, which groups are folded, and what is at
// the top. Items are known by the keys in their first column, each of which is there once; those without one are not.
class TreePlace {
public:
    TreePlace(const QTreeWidget& tree, int keyRole);

    // What was not there before is open.
    void giveBack(QTreeWidget& tree) const;

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
