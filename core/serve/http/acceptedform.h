// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/samples.h"

namespace lockkeeper::serve {

// The form that a client wants by its Accept header: OpenMetrics if it prefers that, else the text of Prometheus, also
// for a client that names neither.
[[nodiscard]] metrics::TextForm acceptedForm(const QByteArray& accept);
[[nodiscard]] QByteArray contentTypeOf(metrics::TextForm form);

}  // namespace lockkeeper::serve
