// SPDX-License-Identifier: Apache-2.0
struct SetDiscovery {};
struct SetLabel {};
struct RetryNow {};
struct ArmFor {};
struct Disarm {};
