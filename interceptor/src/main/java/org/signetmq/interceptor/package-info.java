/* SPDX-License-Identifier: Apache-2.0 */
/** The plugin as the broker knows it: the class that broker.xml names, and its management bean. */
@NullMarked
package org.signetmq.interceptor;

import org.jspecify.annotations.NullMarked;
