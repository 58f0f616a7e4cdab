package match

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// givesUp makes a connection fail soon when the network swallows what is sent; else that takes a quarter of an hour.
func givesUp(network, _ string, c syscall.RawConn) error {
	if len(network) < 3 || network[:3] != "tcp" {
		return nil
	}
	var set error
	if err := c.Control(func(fd uintptr) { set = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, unheard) }); err != nil {
		return err
	}
	return set
}
