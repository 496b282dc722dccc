/* SPDX-License-Identifier: Apache-2.0 */
/** An application of Spring Boot that receives protected messages. */
@org.jspecify.annotations.NullMarked
package org.signetmq.spring;
