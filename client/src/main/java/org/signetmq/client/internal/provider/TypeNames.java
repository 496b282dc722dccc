/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

/** Looks at classes by name: those of providers need not be there. */
public final class TypeNames {
    private TypeNames() {}

    /** Whether the object's class, or one that it extends, has this name. */
    public static boolean isA(Object object, String className) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(className)) {
                return true;
            }
        }
        return false;
    }
}
