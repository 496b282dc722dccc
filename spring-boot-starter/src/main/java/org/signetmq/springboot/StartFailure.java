/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

/** Thrown where the configuration of the application leaves messages unprotected or cannot work. */
final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    /**
     * Makes a failure.
     *
     * @param problem what is wrong, in one line
     * @param remedy a sentence that says what to do
     */
    StartFailure(String problem, String remedy) {
        super(problem);
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }
}
