#include "ui/table/lockcolumns.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct LockColumns {
    Q_DECLARE_TR_FUNCTIONS(LockColumns)
};

}  // namespace

QString columnTitle(LockTableModel::Column column) {
    switch (column) {
        case LockTableModel::State:
            return LockColumns::tr("State");
        case LockTableModel::Name:
            return LockColumns::tr("Name");
        case LockTableModel::DiagnosisColumn:
            return LockColumns::tr("Diagnosis");
        case LockTableModel::Kind:
            return LockColumns::tr("Kind");
        case LockTableModel::HolderColumn:
            return LockColumns::tr("Holder");
        case LockTableModel::Count:
            return LockColumns::tr("Count");
        case LockTableModel::Ttl:
            return LockColumns::tr("TTL");
        case LockTableModel::HeldSince:
            return LockColumns::tr("Held since");
        case LockTableModel::Renewals:
            return LockColumns::tr("Renewals");
        case LockTableModel::Waiters:
            return LockColumns::tr("Waiters");
        case LockTableModel::Rate:
            return LockColumns::tr("Rate");
        case LockTableModel::ColumnCount:
            break;
    }
    return {};
}

bool isCentred(LockTableModel::Column column) {
    return column == LockTableModel::Count || column == LockTableModel::Waiters;
}

}  // namespace lockkeeper::ui
