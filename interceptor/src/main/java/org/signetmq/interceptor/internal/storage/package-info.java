/* SPDX-License-Identifier: Apache-2.0 */
/** The proxies for the broker's storage, and access to fields of the broker by reflection. It imports the body. */
@NullMarked
package org.signetmq.interceptor.internal.storage;

import org.jspecify.annotations.NullMarked;
