// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/holders/treeplace.h"

#include <QScrollBar>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

namespace lockkeeper::ui {

TreePlace::TreePlace(const QTreeWidget& tree, int keyRole) : m_keyRole(keyRole), m_currentColumn(tree.currentColumn()) {
    const auto keyOf = [keyRole](const QTreeWidgetItem* item) {
        return item ? item->data(0, keyRole).toString() : QString();
    };
    m_current = keyOf(tree.currentItem());
    m_top = keyOf(tree.itemAt(0, 0));
    m_down = tree.verticalScrollBar()->value();
    m_sideways = tree.horizontalScrollBar()->value();
    for (int i = 0; i < tree.topLevelItemCount(); ++i) {
        if (!tree.topLevelItem(i)->isExpanded())
            m_folded.insert(keyOf(tree.topLevelItem(i)));
    }
}

void TreePlace::restore(QTreeWidget& tree) const {
    QTreeWidgetItem* top = nullptr;
    for (QTreeWidgetItemIterator it(&tree); *it; ++it) {
        const QString key = (*it)->data(0, m_keyRole).toString();
        if (key.isEmpty())
            continue;
        if (!(*it)->parent())
            (*it)->setExpanded(!m_folded.contains(key));
        if (key == m_current)
            tree.setCurrentItem(*it, m_currentColumn);
        if (key == m_top)
            top = *it;
    }
    // Last, because setCurrentItem() scrolls too. The ranges of the scroll bars are known after the layout.
    tree.doItemsLayout();
    if (top)
        tree.scrollToItem(top, QAbstractItemView::PositionAtTop);
    else
        tree.verticalScrollBar()->setValue(m_down);
    tree.horizontalScrollBar()->setValue(m_sideways);
}

}  // namespace lockkeeper::ui
