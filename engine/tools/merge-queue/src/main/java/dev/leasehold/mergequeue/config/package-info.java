/** The configuration file: YAML with values from the environment. Every refusal names its line. */
@NullMarked
package dev.leasehold.mergequeue.config;

import org.jspecify.annotations.NullMarked;
