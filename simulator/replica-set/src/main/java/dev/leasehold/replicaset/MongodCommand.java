package dev.leasehold.replicaset;

import java.nio.file.Path;
import java.util.List;

/** The command line of one node: everything for a quick start and little use of the machine, but with a journal. */
record MongodCommand(Path mongod, String setName, int port, Path dataFolder) {

    /** Without it the server fills three journal files of 100 MB with zeros before it listens. */
    private static final String SMALL_JOURNAL =
            "log=(enabled=true,path=journal,compressor=snappy,prealloc=false,file_max=16MB)";

    List<String> arguments() {
        return List.of(
                mongod.toString(),
                "--replSet", setName,
                "--bind_ip", "127.0.0.1",
                "--port", Integer.toString(port),
                "--dbpath", dataFolder.toString(),
                "--nounixsocket",
                "--oplogSize", "64",
                "--wiredTigerCacheSizeGB", "0.25",
                "--wiredTigerEngineConfigString", SMALL_JOURNAL,
                "--setParameter", "enableTestCommands=1",
                "--setParameter", "diagnosticDataCollectionEnabled=false");
    }
}
