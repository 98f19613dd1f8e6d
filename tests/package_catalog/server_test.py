#!/usr/bin/env python3
"""Starts the package catalogue server and tests what it answers, and what it says of bad input.

    server_test.py PROGRAM SAMPLE CHECK_CATALOG
"""

import http.client
import json
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SAMPLE, CHECK = sys.argv[1:4]
FIRST_LINE = re.compile(r"listening on (http://127\.0\.0\.1:([0-9]+)/)\n")


def run(*arguments):
    """A program that is to end by itself."""
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=30, check=False)


class ServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = subprocess.Popen(
            [PROGRAM, "--port", "0", "--threads", "2", "--data", SAMPLE],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        match = FIRST_LINE.fullmatch(cls.server.stdout.readline())
        assert match, "the first line does not say where it listens"
        cls.url, cls.port = match[1], int(match[2])

    @classmethod
    def tearDownClass(cls):
        cls.server.send_signal(signal.SIGTERM)
        status = cls.server.wait(30)
        cls.server.stdout.close()
        assert status == 0, f"it ended with status {status}"

    def get(self, target, method="GET"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, target)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response, body

    def assert_problem(self, target, status, words, method="GET"):
        response, body = self.get(target, method)
        self.assertEqual(response.status, status, target)
        self.assertEqual(response.getheader("Content-Type"), "application/problem+json")
        problem = json.loads(body)
        self.assertEqual(problem["status"], status)
        self.assertIn(words, problem["detail"])
        return response

    def test_every_field_of_every_record_is_there(self):
        for query in ("", "?buffered=1"):
            check = subprocess.run([sys.executable, CHECK, f"{self.url}packages{query}", "--data", SAMPLE],
                                   capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)

    def test_the_catalogue_is_streamed_and_the_buffered_one_is_the_same(self):
        streamed, body = self.get("/packages")
        self.assertEqual(streamed.getheader("Transfer-Encoding"), "chunked")
        self.assertEqual(streamed.getheader("Content-Type"), "application/json")
        buffered, same = self.get("/packages?buffered=1")
        self.assertEqual(buffered.getheader("Content-Length"), str(len(body)))
        self.assertEqual(body, same)

    def test_meta_says_what_the_data_is(self):
        document = json.loads(self.get("/packages?limit=2&q=%65")[1])
        self.assertEqual(document["meta"]["source"], SAMPLE)
        self.assertEqual(document["meta"]["filters"], {"q": "e", "limit": 2})
        self.assertEqual(len(document["data"]), 2)
        whole = json.loads(self.get("/packages")[1])
        self.assertEqual(whole["meta"]["records"], len(whole["data"]))

    def test_pages_follow_one_another_and_sections_are_chosen(self):
        names = [record["package"] for record in json.loads(self.get("/packages")[1])["data"]]
        paged = []
        query = "limit=7"
        while page := [record["package"] for record in json.loads(self.get(f"/packages?{query}")[1])["data"]]:
            paged += page
            query = f"limit=7&after={page[-1]}"
        self.assertEqual(paged, names)
        section = json.loads(self.get("/packages?limit=1")[1])["data"][0]["section"]
        chosen = json.loads(self.get(f"/packages?section={section}")[1])["data"]
        self.assertTrue(chosen and all(record["section"] == section for record in chosen))
        self.assertEqual(json.loads(self.get("/packages?limit=0")[1])["data"], [])

    def test_one_package(self):
        first = json.loads(self.get("/packages?limit=1")[1])["data"][0]
        response, body = self.get(f"/packages/{first['package']}")
        self.assertEqual(response.getheader("Content-Length"), str(len(body)))
        self.assertEqual(json.loads(body), first)

    def test_the_root_lists_the_endpoints(self):
        paths = [endpoint["path"] for endpoint in json.loads(self.get("/")[1])["endpoints"]]
        self.assertIn("/packages", paths)
        self.assertIn("/packages/{name}", paths)

    def test_problems_say_what_is_wrong(self):
        self.assert_problem("/packages/no-such-package", 404, "no-such-package")
        self.assert_problem("/nowhere", 404, "/nowhere")
        self.assert_problem("/packages?limit=many", 400, "many")
        self.assert_problem("/packages?limit=-1", 400, "-1")
        self.assert_problem("/packages?buffered=2", 400, "buffered")
        self.assert_problem("/packages?colour=blue", 400, "colour")
        self.assert_problem("/packages?limit=1&limit=2", 400, "limit")
        self.assert_problem("/packages?q=%zz", 400, "%")
        self.assert_problem("/packages?after=no-such-package", 400, "no-such-package")
        response = self.assert_problem("/packages", 405, "GET", "DELETE")
        self.assertEqual(response.getheader("Allow"), "GET, HEAD")

    def test_head_and_keep_alive(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        for method, target in (("HEAD", "/packages"), ("GET", "/"), ("HEAD", "/packages?buffered=1"), ("GET", "/packages"),
                               ("GET", "/nowhere"), ("GET", "/packages?limit=1")):
            connection.request(method, target)
            own_port = connection.sock.getsockname()
            response = connection.getresponse()
            body = response.read()
            self.assertEqual(body == b"", method == "HEAD")
            self.assertEqual(connection.sock.getsockname(), own_port)
        connection.close()

    def exchange(self, request):
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as client:
            client.sendall(request)
            received = b""
            while piece := client.recv(65536):
                received += piece
            return received

    def test_what_is_not_http_is_refused(self):
        answer = self.exchange(b"GARBAGE\r\n\r\n")
        self.assertTrue(answer.startswith(b"HTTP/1.1 400 Bad Request\r\n"), answer)
        self.assertIn(b"Connection: close\r\n", answer)

    def test_http_1_0_gets_the_document_and_the_end_of_the_connection(self):
        answer = self.exchange(b"GET /packages HTTP/1.0\r\n\r\n")
        head, _, body = answer.partition(b"\r\n\r\n")
        self.assertNotIn(b"Transfer-Encoding", head)
        self.assertEqual(body, self.get("/packages")[1])

    def test_pipelined_requests_are_answered_in_order(self):
        one = b"GET /packages?limit=1 HTTP/1.1\r\nHost: x\r\n\r\n"
        last = b"GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        answer = self.exchange(one + one + last)
        self.assertEqual(re.findall(rb"HTTP/1\.1 ([0-9]+)", answer), [b"200", b"200", b"404"])

    def test_a_port_in_use_is_said(self):
        ended = run("--port", str(self.port), "--data", SAMPLE)
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(ended.stdout, "")
        self.assertIn(f"port {self.port}", ended.stderr)
        self.assertIn("in use", ended.stderr)


class CommandLineTest(unittest.TestCase):
    def test_a_malformed_file_is_refused_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "bad.control")
            path.write_text("Package: a\nVersion: 1\n\nno colon here\n", encoding="utf-8")
            ended = run("--port", "0", "--data", str(path))
        self.assertEqual(ended.returncode, 1)
        self.assertIn(f"{path}:4: ", ended.stderr)
        self.assertEqual(ended.stdout, "")

    def test_a_file_that_cannot_be_read_is_named(self):
        ended = run("--port", "0", "--data", "/no/such/file")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("/no/such/file", ended.stderr)

    def test_an_unknown_option_is_named(self):
        ended = run("--prot", "0")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("--prot", ended.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
