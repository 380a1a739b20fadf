package dev.leasehold.replicaset;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;

/** What a client asks a SOCKS proxy of version 5 for (RFC 1928): a connection, without authentication. */
final class SocksRequest {

    private static final int VERSION = 5;
    private static final int NO_AUTHENTICATION = 0;
    private static final int CONNECT = 1;
    private static final int IPV4 = 1;
    private static final int DOMAIN_NAME = 3;
    private static final int IPV6 = 4;
    private static final int GRANTED = 0;
    private static final int CONNECTION_REFUSED = 5;

    private final InetSocketAddress target;

    private SocksRequest(InetSocketAddress target) {
        this.target = target;
    }

    /** Reads what the client sends until it waits for the connection, and answers its greeting. */
    static SocksRequest read(DataInputStream in, OutputStream out) throws IOException {
        require("version", VERSION, in.readUnsignedByte());
        // The methods that it offers. Every client offers to go without.
        in.readFully(new byte[in.readUnsignedByte()]);
        out.write(new byte[] {VERSION, NO_AUTHENTICATION});
        out.flush();
        require("version", VERSION, in.readUnsignedByte());
        require("command", CONNECT, in.readUnsignedByte());
        in.readUnsignedByte();
        InetAddress address = address(in);
        return new SocksRequest(new InetSocketAddress(address, in.readUnsignedShort()));
    }

    InetSocketAddress target() {
        return target;
    }

    static void grant(OutputStream out) throws IOException {
        answer(out, GRANTED);
    }

    static void refuse(OutputStream out) throws IOException {
        answer(out, CONNECTION_REFUSED);
    }

    /** The address that it is to contain is of no use. */
    private static void answer(OutputStream out, int code) throws IOException {
        out.write(new byte[] {VERSION, (byte) code, 0, IPV4, 0, 0, 0, 0, 0, 0});
        out.flush();
    }

    private static InetAddress address(DataInputStream in) throws IOException {
        int type = in.readUnsignedByte();
        return switch (type) {
            case IPV4 -> InetAddress.getByAddress(bytes(in, 4));
            case IPV6 -> InetAddress.getByAddress(bytes(in, 16));
            case DOMAIN_NAME ->
                InetAddress.getByName(new String(bytes(in, in.readUnsignedByte()), StandardCharsets.US_ASCII));
            default -> throw new ProtocolException("address type " + type + " is not one of SOCKS 5");
        };
    }

    private static byte[] bytes(DataInputStream in, int count) throws IOException {
        byte[] bytes = new byte[count];
        in.readFully(bytes);
        return bytes;
    }

    private static void require(String what, int wanted, int found) throws ProtocolException {
        if (found != wanted) {
            throw new ProtocolException(what + " " + found + " is refused: it must be " + wanted);
        }
    }
}
