// SPDX-License-Identifier: Apache-2.0
#pragma once

class QLineEdit;

namespace lockkeeper::ui {

// The access key of a control that is disabled or hidden, such as Alt+F, is a letter with Alt: Qt would type it into
// the field that has the focus. This field ignores such keys.
void ignoreAccessKeys(QLineEdit& field);

}  // namespace lockkeeper::ui
