// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/filter/filtermenu.h"

#include "ui/base/helptip.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/locks/filter/savedfilters.h"
#include "ui/words/locktext.h"

#include <QInputDialog>
#include <QMenu>

namespace lockkeeper::ui {

FilterMenu::FilterMenu(QSettings& settings, QWidget* parent)
    : QToolButton(parent), m_settings(settings), m_menu(new QMenu(this)) {
    setObjectName(QStringLiteral("savedFilters"));
    setPopupMode(QToolButton::InstantPopup);
    setMenu(m_menu);
    setFocusPolicy(Qt::TabFocus);
    m_menu->setObjectName(QStringLiteral("savedFilterMenu"));
    // Another session may have saved a filter since.
    connect(m_menu, &QMenu::aboutToShow, this, &FilterMenu::fill);
    keepTranslated(*this, [this] { retranslate(); });
}

void FilterMenu::retranslate() {
    setText(tr("Filters"));
    setToolTip(helpTip(tr("Filters that you have saved")));
    setAccessibleName(tr("Saved filters"));
    fill();
}

void FilterMenu::fill() {
    m_menu->clear();
    addSaved();
    QAction* save = m_menu->addAction(tr("&Save this filter…"), this, &FilterMenu::askForName);
    save->setObjectName(QStringLiteral("actionSaveFilter"));
    save->setEnabled(!m_typed.trimmed().isEmpty());
}

void FilterMenu::addSaved() {
    const QList<SavedFilter> filters = savedFilters(m_settings);
    for (const SavedFilter& filter : filters) {
        const QString text = tr("%1 (%2)").arg(withoutMnemonic(filter.name), withoutMnemonic(shortened(filter.text)));
        m_menu->addAction(text, this, [this, filter] { Q_EMIT filterChosen(filter.text); });
    }
    if (filters.isEmpty())
        return;
    QMenu* remove = m_menu->addMenu(tr("&Delete"));
    remove->setObjectName(QStringLiteral("deleteFilterMenu"));
    for (const SavedFilter& filter : filters)
        remove->addAction(withoutMnemonic(filter.name), this,
                          [this, name = filter.name] { removeFilter(m_settings, name); });
    m_menu->insertSeparator(remove->menuAction());
}

void FilterMenu::askForName() {
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName(QStringLiteral("saveFilterDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    keepTranslated(*dialog, [dialog, text = m_typed] {
        dialog->setWindowTitle(tr("Save this filter"));
        dialog->setLabelText(
            tr("Name for the filter %1\nA filter that has this name already is replaced.").arg(shortened(text)));
    });
    makePlain(*dialog);
    connect(dialog, &QInputDialog::textValueSelected, this, [this, text = m_typed](const QString& typed) {
        const QString name = typed.simplified().left(longestFilterName);
        if (!name.isEmpty() && !saveFilter(m_settings, {name, text}))
            Q_EMIT saveRefused();
    });
    dialog->open();
}

}  // namespace lockkeeper::ui

#include "moc_filtermenu.cpp"
