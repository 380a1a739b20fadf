/** Looks for what is wrong with a namespace, its servers and its rights, and says what to do about each. */
@NullMarked
package dev.leasehold.operator.doctor;

import org.jspecify.annotations.NullMarked;
