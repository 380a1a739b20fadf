package dev.leasehold.replicaset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The command line of one node: everything for a quick start and little use of the machine, but with a journal.
 *
 * @param parameters come on top of those that every node gets, or replace them
 */
record MongodCommand(
        Path mongod, String setName, int port, Path dataFolder, Access access, Map<String, String> parameters) {

    /** Not by a name: that could be one of another family of addresses. */
    static final String LISTENS_AT = "127.0.0.1";

    /** Before the data folder. */
    static final String DATA_FOLDER = "--dbpath";

    /** Without it the server fills three journal files of 100 MB with zeros before it listens. */
    private static final String SMALL_JOURNAL =
            "log=(enabled=true,path=journal,compressor=snappy,prealloc=false,file_max=16MB)";

    String address() {
        return LISTENS_AT + ":" + port;
    }

    List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(
                mongod.toString(),
                "--replSet",
                setName,
                "--bind_ip",
                LISTENS_AT,
                "--port",
                Integer.toString(port),
                DATA_FOLDER,
                dataFolder.toString(),
                "--nounixsocket",
                "--oplogSize",
                "64",
                "--wiredTigerCacheSizeGB",
                "0.25",
                "--wiredTigerEngineConfigString",
                SMALL_JOURNAL));
        arguments.addAll(access.arguments());
        // The server refuses a parameter that is given twice.
        allParameters().forEach((name, value) -> arguments.addAll(List.of("--setParameter", name + "=" + value)));
        return List.copyOf(arguments);
    }

    private Map<String, String> allParameters() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("enableTestCommands", "1");
        all.put("diagnosticDataCollectionEnabled", "false");
        all.putAll(parameters);
        return all;
    }
}
