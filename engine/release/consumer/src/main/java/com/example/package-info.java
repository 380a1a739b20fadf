/** A program of a user, which has nothing but what is released. */
@NullMarked
package com.example;

import org.jspecify.annotations.NullMarked;
