// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "./Test.sol";
import {Vm} from "./Vm.sol";

/// @dev A contract with one of everything that cheatcodes look at.
contract Probe {
    event Stored(address indexed caller, uint256 indexed previous, uint256 value);

    error ProbeTooLarge(uint256 value, uint256 limit);
    error ProbeRefused();

    uint256 public value;
    uint256 public constant LIMIT = 1_000;

    function set(uint256 newValue) external payable {
        if (newValue > LIMIT) revert ProbeTooLarge(newValue, LIMIT);
        emit Stored(msg.sender, value, newValue);
        value = newValue;
    }

    function refuse() external pure {
        revert ProbeRefused();
    }

    function relay(Probe other, uint256 newValue) external {
        other.set(newValue);
    }

    function caller() external view returns (address sender, address origin) {
        return (msg.sender, tx.origin);
    }

    function clock() external view returns (uint256) {
        return block.timestamp;
    }
}

/// @dev Proves that each cheatcode and assertion our tests rely on does in this EVM what it says:
///   time        warp, roll, chainId, skip
///   callers     prank for one call, startPrank until stopPrank, with and without origin
///   state       deal, etch, store, load, snapshotState and revertToState
///   expectation expectRevert (any, selector, full data, by whom; also seen failing), expectEmit, expectCall
///   logs, keys, files and JSON, environment, bound, assertions that fail when they should
contract TestBaseTest is Test {
    Probe private probe;

    event Stored(address indexed caller, uint256 indexed previous, uint256 value);

    function setUp() public {
        probe = new Probe();
    }

    function test_warpRollAndChainIdMoveTheClock() public {
        vm.warp(1_800_000_000);
        vm.roll(77);
        vm.chainId(8453);
        assertEq(probe.clock(), 1_800_000_000);
        assertEq(vm.getBlockTimestamp(), 1_800_000_000);
        assertEq(vm.getBlockNumber(), 77);
        assertEq(block.number, 77);
        assertEq(block.chainid, 8453);
        skip(60);
        skip(60);
        assertEq(probe.clock(), 1_800_000_120);
    }

    function test_prankLastsOneCallAndStartPrankUntilStopped() public {
        address alice = makeAddr("alice");
        address bob = makeAddr("bob");
        (address sender, address origin) = (address(0), address(0));

        vm.prank(alice);
        (sender, ) = probe.caller();
        assertEq(sender, alice);
        (sender, ) = probe.caller();
        assertEq(sender, address(this));

        vm.prank(alice, bob);
        (sender, origin) = probe.caller();
        assertEq(sender, alice);
        assertEq(origin, bob);

        vm.startPrank(bob);
        probe.caller();
        (sender, ) = probe.caller();
        assertEq(sender, bob);
        vm.stopPrank();
        vm.startPrank(alice, alice);
        (sender, origin) = probe.caller();
        assertEq(origin, alice);
        vm.stopPrank();
        (sender, ) = probe.caller();
        assertEq(sender, address(this));
    }

    function test_stateCanBeDealtStoredEtchedAndRestored() public {
        address alice = makeAddr("alice");
        vm.deal(alice, 3 ether);
        assertEq(alice.balance, 3 ether);

        uint256 snapshotId = vm.snapshotState();
        probe.set(5);
        vm.store(address(probe), bytes32(0), bytes32(uint256(9)));
        assertEq(probe.value(), 9);
        assertEq(vm.load(address(probe), bytes32(0)), bytes32(uint256(9)));
        assertTrue(vm.revertToState(snapshotId));
        assertEq(probe.value(), 0);

        vm.etch(alice, address(probe).code);
        Probe(alice).set(4);
        assertEq(Probe(alice).value(), 4);
        assertEq(vm.computeCreateAddress(address(this), vm.getNonce(address(this)) - 1), address(probe));
    }

    function test_recordNamesTheSlotsTouched() public {
        vm.record();
        probe.set(5);
        (bytes32[] memory readSlots, bytes32[] memory writeSlots) = vm.accesses(address(probe));
        assertEq(writeSlots.length, 1);
        assertEq(writeSlots[0], bytes32(0));
        assertGe(readSlots.length, 1);
    }

    function test_expectRevertMatchesSelectorFullDataAndReverter() public {
        bytes memory full = abi.encodeWithSelector(Probe.ProbeTooLarge.selector, 1_001, 1_000);
        vm.expectRevert();
        probe.set(1_001);
        vm.expectRevert(full);
        probe.set(1_001);
        // A bare selector matches only an error without data; expectPartialRevert leaves the data open.
        vm.expectRevert(Probe.ProbeRefused.selector);
        probe.refuse();
        vm.expectPartialRevert(Probe.ProbeTooLarge.selector);
        probe.set(1_001);
        vm.expectRevert(address(probe));
        probe.set(1_001);
        vm.expectRevert(full, address(probe));
        probe.set(1_001);
        vm.expectRevert(Probe.ProbeRefused.selector, address(probe));
        probe.refuse();
    }

    function test_expectRevertRefusesOtherDataAndSuccess() public {
        bytes memory right = abi.encodeWithSelector(Probe.ProbeTooLarge.selector, 1_001, 1_000);
        bytes memory wrong = abi.encodeWithSelector(Probe.ProbeTooLarge.selector, 1_002, 1_000);
        bytes4 selector = Probe.ProbeTooLarge.selector;
        assertTrue(held(abi.encodeCall(this.expectDataThenSet, (right, 1_001))), "the same data");
        assertFalse(held(abi.encodeCall(this.expectDataThenSet, (wrong, 1_001))), "other data");
        assertFalse(held(abi.encodeCall(this.expectDataThenSet, (right, 1))), "no revert at all");
        assertFalse(held(abi.encodeCall(this.expectSelectorThenSet, (selector, 1_001))), "an error that has data");
    }

    function expectDataThenSet(bytes calldata expected, uint256 newValue) external {
        vm.expectRevert(expected);
        probe.set(newValue);
    }

    function expectSelectorThenSet(bytes4 expected, uint256 newValue) external {
        vm.expectRevert(expected);
        probe.set(newValue);
    }

    function held(bytes memory expectation) private returns (bool success) {
        (success, ) = address(this).call(expectation);
    }

    function test_expectEmitMatchesTopicsDataAndEmitter() public {
        probe.set(1);
        vm.expectEmit();
        emit Stored(address(this), 1, 2);
        probe.set(2);
        vm.expectEmit(address(probe));
        emit Stored(address(this), 2, 3);
        probe.set(3);
        vm.expectEmit(true, true, false, false);
        emit Stored(address(this), 3, 999);
        probe.set(4);
        vm.expectEmit(true, false, false, true, address(probe));
        emit Stored(address(this), 999, 5);
        probe.set(5);
    }

    function test_expectCallSeesTheInnerCall() public {
        Probe other = new Probe();
        vm.expectCall(address(other), abi.encodeCall(Probe.set, (7)));
        probe.relay(other, 7);
        vm.expectCall(address(other), abi.encodeCall(Probe.set, (8)), 2);
        probe.relay(other, 8);
        probe.relay(other, 8);
        vm.expectCall(address(probe), 1 wei, abi.encodeCall(Probe.set, (9)));
        probe.set{value: 1 wei}(9);
    }

    function test_mockCallAnswersInPlaceOfTheContract() public {
        vm.mockCall(address(probe), abi.encodeCall(probe.value, ()), abi.encode(uint256(123)));
        assertEq(probe.value(), 123);
        vm.clearMockedCalls();
        assertEq(probe.value(), 0);
        // A mocked call opens no frame, so expectRevert cannot see it: catch it instead.
        vm.mockCallRevert(address(probe), abi.encodeCall(probe.value, ()), "refused");
        (bool answered, bytes memory revertData) = address(probe).call(abi.encodeCall(probe.value, ()));
        assertFalse(answered);
        assertEq(revertData, bytes("refused"));
    }

    function test_recordedLogsHoldTopicsDataAndEmitter() public {
        vm.recordLogs();
        probe.set(11);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 1);
        assertEq(logs[0].emitter, address(probe));
        assertEq(logs[0].topics[0], Stored.selector);
        assertEq(logs[0].topics.length, 3);
        assertEq(logs[0].data, abi.encode(uint256(11)));
    }

    function testFuzz_signaturesRecoverToTheKeysAddress(uint256 seed, bytes32 digest) public {
        uint256 privateKey = bound(seed, 1, KEY_ORDER - 1);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        assertEq(ecrecover(digest, v, r, s), vm.addr(privateKey));
        assertEq(signWith(privateKey, digest), abi.encodePacked(r, s, v));
        (address account, uint256 namedKey) = makeAddrAndKey("carol");
        assertEq(vm.addr(namedKey), account);
    }

    function testFuzz_boundStaysInsideAndKeepsWhatFits(uint256 value, uint256 low, uint256 high) public pure {
        vm.assume(low <= high);
        uint256 bounded = bound(value, low, high);
        assertGe(bounded, low);
        assertLe(bounded, high);
        if (value >= low && value <= high) assertEq(bounded, value);
    }

    function test_vectorFilesAreReadAndParsed() public view {
        string memory json = vm.readFile("vectors/testBase.json");
        assertEq(vm.parseJsonUint(json, ".uint"), type(uint256).max);
        assertEq(vm.parseJsonInt(json, ".int"), -42);
        assertTrue(vm.parseJsonBool(json, ".bool"));
        assertEq(vm.parseJsonAddress(json, ".address"), address(0xDeaDBeef));
        assertEq(vm.parseJsonString(json, ".string"), unicode"a line of text, ä and 𝄞 included");
        assertEq(vm.parseJsonBytes(json, ".bytes"), hex"0102ff");
        assertEq(vm.parseJsonBytes32(json, ".bytes32"), bytes32(uint256(255)));
        assertEq(vm.parseJsonUintArray(json, ".uints").length, 3);
        assertEq(vm.parseJsonString(json, ".cases[1].name"), "second");
        assertEq(vm.parseJsonUint(json, string.concat(".cases[", vm.toString(uint256(1)), "].amount")), 20);
        assertTrue(vm.keyExistsJson(json, ".cases[1]"));
        assertFalse(vm.keyExistsJson(json, ".cases[2]"));
        assertEq(abi.decode(vm.parseJson(json, ".bool"), (bool)), true);
    }

    function test_arraysKeysAndTextOfJsonAreParsed() public pure {
        string memory json =
            '{"i":["-1","2"],"b":[true,false],"a":["0x0000000000000000000000000000000000000007"],"s":["x","y"],"h":["0x01","0x0203"],"w":["0x00000000000000000000000000000000000000000000000000000000000000ff"]}';
        assertEq(vm.parseJsonIntArray(json, ".i")[0], -1);
        assertFalse(vm.parseJsonBoolArray(json, ".b")[1]);
        assertEq(vm.parseJsonAddressArray(json, ".a")[0], address(7));
        assertEq(vm.parseJsonStringArray(json, ".s")[1], "y");
        assertEq(vm.parseJsonBytesArray(json, ".h")[1], hex"0203");
        assertEq(vm.parseJsonBytes32Array(json, ".w")[0], bytes32(uint256(255)));
        assertEq(vm.parseJsonKeys(json, "$").length, 6);
        assertEq(abi.decode(vm.parseJson("true"), (bool)), true);
        assertEq(vm.toString(address(7)), "0x0000000000000000000000000000000000000007");
        assertEq(vm.toString(int256(-7)), "-7");
        assertEq(
            vm.toString(bytes32(uint256(1))),
            "0x0000000000000000000000000000000000000000000000000000000000000001"
        );
        assertEq(vm.toString(bytes(hex"0102")), "0x0102");
        assertEq(vm.toString(true), "true");
    }

    function test_feeGasMeteringAndProjectRootAnswer() public {
        vm.fee(7 gwei);
        assertEq(block.basefee, 7 gwei);
        vm.pauseGasMetering();
        probe.set(1);
        vm.resumeGasMetering();
        assertGt(bytes(vm.projectRoot()).length, 0);
    }

    function test_filesOutsideTheVectorsStayClosed() public view {
        (bool opened, ) = address(vm).staticcall(abi.encodeCall(Vm.readFile, ("package.json")));
        assertFalse(opened);
    }

    function test_environmentFallsBackToTheDefault() public view {
        assertEq(vm.envOr("SVC_TEST_BASE_UNSET", uint256(7)), 7);
        assertEq(vm.envOr("SVC_TEST_BASE_UNSET", string("seven")), "seven");
        assertEq(vm.envOr("SVC_TEST_BASE_UNSET", true), true);
        assertEq(vm.envOr("SVC_TEST_BASE_UNSET", address(7)), address(7));
    }

    function test_assertionsFailWhenTheyShould() public view {
        assertFailing(abi.encodeWithSignature("assertTrue(bool)", false));
        assertFailing(abi.encodeWithSignature("assertEq(uint256,uint256)", 1, 2));
        assertFailing(abi.encodeWithSignature("assertEq(address,address)", address(1), address(2)));
        assertFailing(abi.encodeWithSignature("assertEq(bytes,bytes)", hex"01", hex"02"));
        assertFailing(abi.encodeWithSignature("assertNotEq(uint256,uint256)", 1, 1));
        assertFailing(abi.encodeWithSignature("assertLe(uint256,uint256)", 2, 1));
        assertFailing(abi.encodeWithSignature("assertGe(uint256,uint256)", 1, 2));
        assertFailing(abi.encodeWithSignature("assertLt(uint256,uint256)", 1, 1));
        assertFailing(abi.encodeWithSignature("assertGt(uint256,uint256)", 1, 1));
        assertFailing(abi.encodeWithSignature("assertApproxEqAbs(uint256,uint256,uint256)", 1, 4, 2));
    }

    function assertFailing(bytes memory assertion) private view {
        (bool stood, ) = address(vm).staticcall(assertion);
        assertFalse(stood, "an assertion held that should have failed");
    }
}

/// @dev Moves the probe within its limits and counts calls, so that the run can be seen to do something.
contract ProbeHandler is Test {
    Probe public immutable probe;
    uint256 public calls;
    uint256 public forbiddenCalls;

    constructor(Probe probe_) {
        probe = probe_;
    }

    function set(uint256 newValue) external {
        probe.set(bound(newValue, 0, probe.LIMIT()));
        calls++;
    }

    function forbidden() external {
        forbiddenCalls++;
    }
}

/// @dev The invariant runner calls only targeted functions, from targeted senders, and keeps state between calls.
contract TestBaseInvariantTest is Test {
    Probe private probe;
    ProbeHandler private handler;

    function setUp() public {
        probe = new Probe();
        handler = new ProbeHandler(probe);
        targetContract(address(handler));
        bytes4[] memory selectors = new bytes4[](1);
        selectors[0] = ProbeHandler.set.selector;
        targetSelector(address(handler), selectors);
        targetSender(makeAddr("fuzzer"));
    }

    function invariant_valueStaysWithinItsLimit() public view {
        assertLe(probe.value(), probe.LIMIT());
    }

    function invariant_onlyTargetedSelectorsAreCalled() public view {
        assertEq(handler.forbiddenCalls(), 0);
    }

    function afterInvariant() public view {
        assertGt(handler.calls(), 0, "the handler was never called");
    }
}
