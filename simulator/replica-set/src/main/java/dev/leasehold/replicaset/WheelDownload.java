package dev.leasehold.replicaset;

import java.io.IOException;
import java.nio.file.Path;

/** Fetches the wheel. */
interface WheelDownload {

    /**
     * Fetches the wheel into an empty folder.
     *
     * @return the file, not verified
     */
    Path into(Path folder) throws IOException;
}
