/** The page in a browser: what is read, how it is shown, and from where orders may come. */
@NullMarked
package dev.leasehold.operator.serve;

import org.jspecify.annotations.NullMarked;
