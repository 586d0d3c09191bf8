// SPDX-License-Identifier: Apache-2.0
// Breaks the layers on purpose, to test the check: JSON outside of its room.
#include <QJsonObject>
