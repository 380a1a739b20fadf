/** The script that checks the models does not pass over what keeps it from checking them. */
@NullMarked
package dev.leasehold.examples.models;

import org.jspecify.annotations.NullMarked;
