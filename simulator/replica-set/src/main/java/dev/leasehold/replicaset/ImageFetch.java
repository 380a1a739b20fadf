package dev.leasehold.replicaset;

import java.io.IOException;

/** Sees to it that the Docker engine has the image of the server. */
interface ImageFetch {

    /** Returns when the engine has the image. */
    void fetch() throws IOException;
}
