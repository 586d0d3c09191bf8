// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockkeeper::ui {

class ClientNames;

// The page of the settings for the user's names of clients.
class AliasPage final : public QWidget {
    Q_OBJECT
public:
    // names: outlive it.
    explicit AliasPage(ClientNames& names, QWidget* parent = nullptr);

private:
    void makeLayout();
    void retranslate();
    void refresh();
    void rename(const QTreeWidgetItem& item);
    void removeCurrent();
    void setName(const QString& client, const QString& name);

    ClientNames& m_names;
    QLabel* m_meaning;
    QTreeWidget* m_list;
    QPushButton* m_remove;
};

}  // namespace lockkeeper::ui
